// Records the outcomes of attempts in batches. Endpoint rows change only when an endpoint starts to
// fail or recovers, so a batch of successes writes to deliveries only.

import type { Db, Tx } from '../../postgres/database.ts'
import type { EndpointName } from '../endpoint.ts'
import { failing_ms_max } from '../outbox.ts'
import type { EndpointToDisable } from './disable-endpoint.ts'
import {
  type DeliveryOutcome,
  type EndpointFailureState,
  lockEndpointFailures,
  makeDeliveriesDue,
  sendDeliveryLocks,
  sendOutcomes,
  sendPastAttempts,
  updateFailing,
} from './queries.ts'

export interface DeliveryAttempt extends DeliveryOutcome {
  /** Whether the endpoint was marked as failing when the attempt started. */
  was_failing: boolean
  /** Whether the delivery row holds an earlier attempt, which moves to the history. */
  has_earlier_attempt: boolean
  /** Whether this was the last attempt of the retry schedule. */
  is_last_attempt: boolean
  /** Whether the endpoint returned 410 (Gone). */
  is_gone: boolean
}

/** Returns the endpoints to disable. Recording an outcome twice has no effect. */
export async function recordAttempts(
  db: Db,
  attempts: DeliveryAttempt[],
): Promise<EndpointToDisable[]> {
  const to_disable: EndpointToDisable[] = []
  for (const part of db.shards.split(attempts)) to_disable.push(...(await recordPart(db, part)))
  return to_disable
}

/** The attempts of one shard, in one transaction. */
function recordPart(db: Db, attempts: DeliveryAttempt[]): Promise<EndpointToDisable[]> {
  return db.transaction(async (tx) => {
    const { to_disable, outcomes } = await evaluateEndpoints(tx, attempts)
    sendDeliveryLocks(tx, outcomes)
    const retried = outcomes.filter(({ has_earlier_attempt }) => has_earlier_attempt)
    if (retried.length > 0) sendPastAttempts(tx, retried)
    sendOutcomes(tx, outcomes)
    return to_disable
  })
}

async function evaluateEndpoints(tx: Tx, attempts: DeliveryAttempt[]) {
  const names = endpointsToEvaluate(attempts)
  if (names.length === 0) return { to_disable: [], outcomes: attempts }
  const failure_states = await lockEndpointFailures(tx, names)
  const verdicts = failure_states.flatMap((failure_state) =>
    evaluateEndpoint(failure_state, attempts),
  )
  const changed = verdicts
    .filter(({ failure_state, succeeded }) => (failure_state.failing_since === null) !== succeeded)
    .map(({ failure_state }) => failure_state)
  const after = changed.map((failure_state) => ({
    ...failure_state,
    failing_since: toggled(failure_state),
  }))
  if (after.length > 0) await updateFailing(tx, after)
  for (const failure_state of changed) {
    if (hadOutage(failure_state)) await makeDeliveriesDue(tx, failure_state)
  }
  const to_disable = verdicts.flatMap(disableIfDead)
  return { to_disable, outcomes: attempts.map((one) => failIfDisabled(one, to_disable)) }
}

/** The endpoints that may have started to fail or recovered. */
function endpointsToEvaluate(attempts: DeliveryAttempt[]): EndpointName[] {
  const names = new Map<string, EndpointName>()
  for (const { account_id, endpoint_id: id, status, was_failing } of attempts) {
    if (status !== 'succeeded' || was_failing) names.set(id, { account_id, id })
  }
  return [...names.values()]
}

interface EndpointVerdict {
  failure_state: EndpointFailureState
  /** The attempts at the endpoint's current URL. */
  current: DeliveryAttempt[]
  succeeded: boolean
}

/** Ignores attempts at a previous URL: they do not count for the current one. */
function evaluateEndpoint(
  failure_state: EndpointFailureState,
  attempts: DeliveryAttempt[],
): EndpointVerdict[] {
  const { id, url } = failure_state
  const current = attempts.filter((one) => one.endpoint_id === id && one.url === url)
  if (current.length === 0) return []
  // One success among failures is enough to count as healthy.
  return [
    { failure_state, current, succeeded: current.some(({ status }) => status === 'succeeded') },
  ]
}

function disableIfDead({
  failure_state,
  current,
  succeeded,
}: EndpointVerdict): EndpointToDisable[] {
  const { account_id, id, url } = failure_state
  const name = { account_id, id, url }
  if (current.some(({ is_gone }) => is_gone)) return [{ ...name, reason: 'gone' }]
  const used_up = !succeeded && current.some(({ is_last_attempt }) => is_last_attempt)
  return used_up && failsTooLong(failure_state) ? [{ ...name, reason: 'failing' }] : []
}

/** A 410 from a previous URL does not fail the delivery: the current URL gets the retry. */
function failIfDisabled(one: DeliveryAttempt, to_disable: EndpointToDisable[]): DeliveryAttempt {
  const is_final = one.is_gone && to_disable.some(({ id }) => id === one.endpoint_id)
  return is_final ? { ...one, status: 'failed', wait_ms: null } : one
}

function toggled({ failing_since }: EndpointFailureState): Date | null {
  return failing_since === null ? new Date() : null
}

// After an outage of more than two retries, pending deliveries may wait for hours, so recovery
// makes them due. The same applies after a URL change, once the first delivery succeeds. An
// endpoint that alternates between success and failure is excluded, because its deliveries would
// use up their attempts.
const outage_ms = 10 * 60_000

function hadOutage({ failing_since }: EndpointFailureState): boolean {
  return failing_since !== null && Date.now() - failing_since.getTime() > outage_ms
}

// Checked only when a delivery has used up its attempts. The time since the first failure alone is
// not enough: there may have been no deliveries, or Florin may have been down. Failures at a
// previous URL do not count.
function failsTooLong({ failing_since, url_changed_at }: EndpointFailureState): boolean {
  if (failing_since === null) return false
  const since_ms = Math.max(failing_since.getTime(), url_changed_at?.getTime() ?? 0)
  return Date.now() - since_ms > failing_ms_max
}
