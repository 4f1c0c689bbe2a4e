// What people ask to be sent: a test, one delivery once more, or all events since a moment. Each
// only writes down what is wanted, under the account's lock; the worker sends.

import { findSequenceBefore } from '../events/find-events.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { getLockedEndpoint, requireActive } from './change-endpoints.ts'
import { type Delivery, type DeliveryRow, unknownDelivery } from './delivery.ts'
import { type Endpoint, type EndpointRow, presentEndpoint } from './endpoint.ts'
import { readDeliveryId, showDelivery } from './find-deliveries.ts'
import { messageOf } from './message.ts'
import {
  countTest,
  insertTestDelivery,
  lockDelivery,
  lockEndpoint,
  reopenDelivery,
  selectDelivery,
  updateEndpointRow,
} from './queries.ts'

const test_type = 'webhook_endpoint.test'

// Each keeps its body, and ten attempts with what was answered where the receiver fails.
const tests_hour_max = 60

/** A test is no event of the account: it has no number, and /v1/events does not show it. */
export async function sendTest(tx: Tx, lock: AccountLock, endpoint_id: string): Promise<Delivery> {
  requireActive(lock)
  const endpoint = await getLockedEndpoint(tx, lock, endpoint_id)
  requireEnabled(endpoint)
  if (!(await countTest(tx, endpoint, tests_hour_max))) throw tooManyTests()
  const row = testDelivery(endpoint)
  await insertTestDelivery(tx, row)
  return showDelivery(tx, (await selectDelivery(tx, row.account_id, row.id))!)
}

function tooManyTests(): Refusal {
  return new Refusal(
    'rate_limited',
    `A webhook endpoint takes at most ${tests_hour_max} tests per hour. Retry later.`,
    { retry_after_s: 60 },
  )
}

function testDelivery(endpoint: EndpointRow): DeliveryRow {
  const at = new Date()
  const { account_id, id: endpoint_id } = endpoint
  const event_id = newRealTimeUuid(at.getTime())
  const data = JSON.stringify(presentEndpoint(endpoint))
  const event = { account_id, id: event_id, type: test_type, at, data, sequence: null }
  return {
    account_id,
    id: newRealTimeUuid(at.getTime()),
    endpoint_id,
    event_id,
    event_type: test_type,
    event_sequence: null,
    test_body: messageOf(event),
    status: 'pending',
    attempts: 0,
    next_at: at,
    attempted_at: null,
    url: null,
    duration_ms: null,
    response_status: null,
    response_body: null,
    error: null,
  }
}

/** All tries anew, the first at once; also for one that succeeded, and for one that waits. */
export async function retryDelivery(
  tx: Tx,
  lock: AccountLock,
  delivery_id: string,
): Promise<Delivery> {
  const { account_id } = lock
  const id = readDeliveryId(delivery_id)
  const seen = await selectDelivery(tx, account_id, id)
  if (seen === undefined) throw unknownDelivery()
  // The endpoint before its deliveries: the order that workers keep too.
  requireEnabled(await lockEndpoint(tx, { account_id, id: seen.endpoint_id }))
  if ((await lockDelivery(tx, account_id, id)) === undefined) throw unknownDelivery()
  await reopenDelivery(tx, account_id, id)
  return showDelivery(tx, (await selectDelivery(tx, account_id, id))!)
}

export interface ReplayInput {
  /** Events at this time or later. */
  since?: string
  /** Events with a greater number. */
  after?: number
}

/** Judged by itself, before anything is looked up. */
export function requireOneStart({ since, after }: ReplayInput): void {
  if ((since === undefined) !== (after === undefined)) return
  throw new Refusal('invalid_request', 'Send either since or after.')
}

/** The endpoint remembers the stretch, and the worker walks it: a million events cost one row. */
export async function replayEvents(
  tx: Tx,
  lock: AccountLock,
  endpoint_id: string,
  input: ReplayInput,
): Promise<Endpoint> {
  requireActive(lock)
  const endpoint = await getLockedEndpoint(tx, lock, endpoint_id)
  requireEnabled(endpoint)
  if (endpoint.replay_after !== null) {
    throw new Refusal('conflict', 'A replay is under way. Wait until replay is null again.')
  }
  const after = await replayAfter(tx, lock, input)
  const through = endpoint.event_sequence
  if (after >= through) return presentEndpoint(endpoint)
  const row = { ...endpoint, replay_after: after, replay_through: through }
  await updateEndpointRow(tx, row)
  return presentEndpoint(row)
}

async function replayAfter(tx: Tx, lock: AccountLock, input: ReplayInput): Promise<number> {
  if (input.since === undefined) return input.after!
  const since = parseTimestamp(input.since, 'first')
  if (since === undefined) throw new Error('the edge let a malformed timestamp pass')
  return findSequenceBefore(tx, lock.account_id, since)
}

function requireEnabled(endpoint: EndpointRow | undefined): void {
  if (endpoint?.status === 'enabled') return
  const what = endpoint === undefined ? 'is no longer there' : 'is disabled; enable it first'
  throw new Refusal('conflict', `The webhook endpoint ${what}.`)
}
