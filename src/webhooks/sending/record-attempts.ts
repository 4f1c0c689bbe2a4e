// What became of tries, written down many at once. In the usual case, where all is well, that is
// one statement; endpoints are touched only when they begin to fail or are well again.

import type { Db, Tx } from '../../postgres/database.ts'
import type { EndpointName } from '../endpoint.ts'
import { failing_ms_max } from '../retry-schedule.ts'
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
  /** Whether the endpoint was known to fail when this was begun. */
  was_failing: boolean
  /** Whether the delivery tells of an earlier try, which is to be kept. */
  has_earlier_attempt: boolean
  /** Whether the delivery has no further try, having been tried as often as any is. */
  is_last_attempt: boolean
  /** Whether the receiver answered that it will never take anything again. */
  is_gone: boolean
}

/** Answers which endpoints are to be given up. */
export async function recordAttempts(
  db: Db,
  tried: DeliveryAttempt[],
): Promise<EndpointToDisable[]> {
  return db.transaction(async (tx) => {
    const { given_up, ended } = await evaluateEndpoints(tx, tried)
    sendDeliveryLocks(tx, ended)
    const repeated = ended.filter(({ has_earlier_attempt }) => has_earlier_attempt)
    if (repeated.length > 0) sendPastAttempts(tx, repeated)
    sendOutcomes(tx, ended)
    return given_up
  })
}

async function evaluateEndpoints(tx: Tx, tried: DeliveryAttempt[]) {
  const names = endpointsToEvaluate(tried)
  if (names.length === 0) return { given_up: [], ended: tried }
  const failure_states = await lockEndpointFailures(tx, names)
  const verdicts = failure_states.flatMap((failure_state) => evaluateEndpoint(failure_state, tried))
  const changed = verdicts
    .filter(({ failure_state, succeeded }) => (failure_state.failing_since === null) !== succeeded)
    .map(({ failure_state }) => failure_state)
  const after = changed.map((failure_state) => ({
    ...failure_state,
    failing_since: turned(failure_state),
  }))
  if (after.length > 0) await updateFailing(tx, after)
  for (const failure_state of changed) {
    if (wasAway(failure_state)) await makeDeliveriesDue(tx, failure_state)
  }
  const given_up = verdicts.flatMap(giveUp)
  return { given_up, ended: tried.map((one) => endIfGone(one, given_up)) }
}

/** Those that may begin to fail, or be well again. */
function endpointsToEvaluate(tried: DeliveryAttempt[]): EndpointName[] {
  const names = new Map<string, EndpointName>()
  for (const { account_id, endpoint_id: id, status, was_failing } of tried) {
    if (status !== 'succeeded' || was_failing) names.set(id, { account_id, id })
  }
  return [...names.values()]
}

interface Verdict {
  failure_state: EndpointFailureState
  /** What was tried at the URL that it has. */
  here: DeliveryAttempt[]
  succeeded: boolean
}

/** None where all was tried at another URL, which says nothing about the one it has now. */
function evaluateEndpoint(
  failure_state: EndpointFailureState,
  tried: DeliveryAttempt[],
): Verdict[] {
  const { id, url } = failure_state
  const here = tried.filter((one) => one.endpoint_id === id && one.url === url)
  if (here.length === 0) return []
  // One success among many failures is a sign of life.
  return [{ failure_state, here, succeeded: here.some(({ status }) => status === 'succeeded') }]
}

function giveUp({ failure_state, here, succeeded }: Verdict): EndpointToDisable[] {
  const { account_id, id, url } = failure_state
  const name = { account_id, id, url }
  if (here.some(({ is_gone }) => is_gone)) return [{ ...name, reason: 'gone' }]
  const used_up = !succeeded && here.some(({ is_last_attempt }) => is_last_attempt)
  return used_up && failsTooLong(failure_state) ? [{ ...name, reason: 'failing' }] : []
}

/** Where all is over there is no further try; where only a URL is, the next one gets it. */
function endIfGone(one: DeliveryAttempt, given_up: EndpointToDisable[]): DeliveryAttempt {
  const is_over = one.is_gone && given_up.some(({ id }) => id === one.endpoint_id)
  return is_over ? { ...one, status: 'failed', wait_ms: null } : one
}

function turned({ failing_since }: EndpointFailureState): Date | null {
  return failing_since === null ? new Date() : null
}

// An endpoint that takes one and refuses another is not away: to hurry its retries would use their
// tries up. One that was away for longer than two retries take has hours of waits behind it, and
// so has one whose owner moved it to another URL, from the first that is taken there: before that,
// nobody knows whether a try would be wasted.
const away_ms = 10 * 60_000

function wasAway({ failing_since }: EndpointFailureState): boolean {
  return failing_since !== null && Date.now() - failing_since.getTime() > away_ms
}

// Asked only when a delivery has used up its tries: days since the first failure say little by
// themselves, because nothing may have been sent in them, or Florin itself was away. Those of
// another URL say nothing at all.
function failsTooLong({ failing_since, url_changed_at }: EndpointFailureState): boolean {
  if (failing_since === null) return false
  const here_since_ms = Math.max(failing_since.getTime(), url_changed_at?.getTime() ?? 0)
  return Date.now() - here_since_ms > failing_ms_max
}
