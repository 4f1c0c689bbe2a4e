// Sends on request: a test event, one delivery again, or a replay of events. Each only stores the
// request under the account lock; the worker sends.

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

// Each test stores its body and up to ten attempts with response bodies.
const tests_hour_max = 60

/** A test is not an event of the account: it has no sequence, and /v1/events does not list it. */
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
    `A webhook endpoint accepts at most ${tests_hour_max} tests per hour. Retry later.`,
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

/** Restarts the retry schedule immediately, even for a delivery that succeeded or is pending. */
export async function retryDelivery(
  tx: Tx,
  lock: AccountLock,
  delivery_id: string,
): Promise<Delivery> {
  const { account_id } = lock
  const id = readDeliveryId(delivery_id)
  const unlocked = await selectDelivery(tx, account_id, id)
  if (unlocked === undefined) throw unknownDelivery()
  // Lock order: endpoint before deliveries, as in the workers, to prevent deadlocks.
  requireEnabled(await lockEndpoint(tx, { account_id, id: unlocked.endpoint_id }))
  if ((await lockDelivery(tx, account_id, id)) === undefined) throw unknownDelivery()
  await reopenDelivery(tx, account_id, id)
  return showDelivery(tx, (await selectDelivery(tx, account_id, id))!)
}

interface ReplayInput {
  /** Events at this time or later. */
  since?: string
  /** Events with a greater sequence. */
  after?: number
}

/** Validates the body before any lookup. */
export function requireOneStart({ since, after }: ReplayInput): void {
  if ((since === undefined) !== (after === undefined)) return
  throw new Refusal('invalid_request', 'Send either "since" or "after", not both.')
}

/** Stores only the range on the endpoint. The worker creates the deliveries step by step. */
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
    throw new Refusal('conflict', 'A replay is already in progress. Wait until "replay" is null.')
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
  if (since === undefined) throw new Error('"since" was not validated')
  return findSequenceBefore(tx, lock.account_id, since)
}

function requireEnabled(endpoint: EndpointRow | undefined): void {
  if (endpoint?.status === 'enabled') return
  const reason = endpoint === undefined ? 'no longer exists' : 'is disabled. Enable it first'
  throw new Refusal('conflict', `The webhook endpoint ${reason}.`)
}
