// Creates, updates and deletes endpoints, each in one transaction under the account lock.

import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { findUuid, newRealTimeUuid, timeOfUuid, uuidAfter } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { AddressPolicy } from './address-policy.ts'
import {
  type Endpoint,
  type EndpointRow,
  type EndpointStatus,
  type EndpointWithSecret,
  presentEndpoint,
  unknownEndpoint,
} from './endpoint.ts'
import { requireFilters } from './event-filter.ts'
import {
  cancelDeliveries,
  deleteEndpointRow,
  endEndpoints,
  insertEndpoint,
  lockEndpoint,
  selectEndpointIds,
  updateEndpointRow,
} from './queries.ts'
import { requireWebhookUrl } from './require-webhook-url.ts'
import { newWebhookSecret } from './sign.ts'

// Each enabled endpoint costs worker time. For more receivers, fan out behind one endpoint.
const endpoints_max = 20

interface EndpointInput {
  url: string
  events: string[]
}

/** Validates the body before any lookup, so that validation errors come first. */
export function readEndpointFields<Fields extends Partial<EndpointInput>>(
  input: Fields,
  policy: AddressPolicy,
): Fields {
  const { url, events } = input
  return {
    ...input,
    ...(url !== undefined && { url: requireWebhookUrl(url, policy) }),
    ...(events !== undefined && { events: requireFilters(events) }),
  }
}

export async function createEndpoint(
  tx: Tx,
  lock: AccountLock,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  requireActive(lock)
  const others = await selectEndpointIds(tx, lock.account_id)
  if (others.length >= endpoints_max) throw tooMany()
  const id = uuidAfter(others.at(-1), newRealTimeUuid(Date.now()))
  const row: EndpointRow = {
    account_id: lock.account_id,
    id,
    url: input.url,
    events: input.events,
    status: 'enabled',
    disabled_reason: null,
    secret: newWebhookSecret(),
    previous_secret: null,
    previous_secret_until: null,
    // Read under the lock, so the endpoint starts with the account's next event.
    event_sequence: lock.event_sequence,
    replay_after: null,
    replay_through: null,
    final_sequence: null,
    failing_since: null,
    url_changed_at: null,
    // `created_at` is read from the id, whose time can be ahead of the clock.
    updated_at: timeOfUuid(id),
  }
  await insertEndpoint(tx, row)
  return { ...presentEndpoint(row), secret: row.secret }
}

function tooMany(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account can have at most ${endpoints_max} webhook endpoints. Delete one first.`,
  )
}

/** Only active accounts can start new deliveries. Pending ones continue. */
export function requireActive(lock: AccountLock): void {
  if (lock.status === 'active') return
  throw new Refusal(
    'invalid_request',
    `The account must be active to use webhooks; it is ${lock.status}.`,
  )
}

interface EndpointChanges {
  url?: string
  events?: string[]
  status?: EndpointStatus
}

export async function updateEndpoint(
  tx: Tx,
  lock: AccountLock,
  endpoint_id: string,
  changes: EndpointChanges,
): Promise<Endpoint> {
  const { url, events } = changes
  const row = await getLockedEndpoint(tx, lock, endpoint_id)
  const after: EndpointRow = {
    ...row,
    ...(url !== undefined && url !== row.url && { url, url_changed_at: new Date() }),
    events: events ?? row.events,
    ...statusFieldsAfter(row, lock, changes.status),
    updated_at: laterThan(row),
  }
  if (isSame(row, after)) return presentEndpoint(row)
  await updateEndpointRow(tx, after)
  if (after.status === 'disabled' && row.status === 'enabled') {
    await cancelDeliveries(tx, row, 'The endpoint was disabled.')
  }
  return presentEndpoint(after)
}

/** An update without changes does not change `updated_at`. */
function isSame(row: EndpointRow, after: EndpointRow): boolean {
  const shown = ({ url, events, status }: EndpointRow) => JSON.stringify([url, events, status])
  return shown(row) === shown(after)
}

/** A re-enabled endpoint starts with the next event. Replay sends the ones it missed. */
function statusFieldsAfter(
  row: EndpointRow,
  lock: AccountLock,
  status: EndpointStatus | undefined,
): Partial<EndpointRow> {
  if (status === undefined || status === row.status) return {}
  if (status === 'enabled') {
    const { event_sequence } = lock
    return { status, disabled_reason: null, failing_since: null, event_sequence }
  }
  return { status, disabled_reason: 'manual', replay_after: null, replay_through: null }
}

// `updated_at` never decreases, even if the system clock is set back.
function laterThan({ updated_at }: EndpointRow): Date {
  return new Date(Math.max(Date.now(), updated_at.getTime()))
}

/** The previous secret keeps signing for the overlap. An older one stops immediately. */
export async function rotateSecret(
  tx: Tx,
  lock: AccountLock,
  endpoint_id: string,
  overlap_s: number,
): Promise<EndpointWithSecret> {
  const row = await getLockedEndpoint(tx, lock, endpoint_id)
  const until = overlap_s === 0 ? null : new Date(Date.now() + overlap_s * 1000)
  const after: EndpointRow = {
    ...row,
    secret: newWebhookSecret(),
    previous_secret: until === null ? null : row.secret,
    previous_secret_until: until,
    updated_at: laterThan(row),
  }
  await updateEndpointRow(tx, after)
  return { ...presentEndpoint(after), secret: after.secret }
}

export async function deleteEndpoint(
  tx: Tx,
  lock: AccountLock,
  endpoint_id: string,
): Promise<Endpoint> {
  const row = await getLockedEndpoint(tx, lock, endpoint_id)
  await deleteEndpointRow(tx, row)
  await cancelDeliveries(tx, row, 'The endpoint was deleted.')
  return presentEndpoint(row)
}

/**
 * Call after the last event of a closed account has been recorded. Its endpoints still get every
 * event up to that one, with retries. Then the worker disables them: see sending/fan-out.ts.
 */
export async function endWebhooks(tx: Tx, lock: AccountLock): Promise<void> {
  await endEndpoints(tx, lock.account_id, lock.event_sequence)
}

export async function getLockedEndpoint(
  tx: Tx,
  { account_id }: AccountLock,
  endpoint_id: string,
): Promise<EndpointRow> {
  const id = readEndpointId(endpoint_id)
  const row = await lockEndpoint(tx, { account_id, id })
  if (row === undefined) throw unknownEndpoint()
  return row
}

export function readEndpointId(endpoint_id: string): string {
  const id = findUuid('webhook_endpoint', endpoint_id)
  if (id === undefined) throw unknownEndpoint()
  return id
}
