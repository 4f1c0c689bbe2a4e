// Making, changing and removing endpoints: each one step, under the account's lock.

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
  insertEndpoint,
  lockEndpoint,
  selectEndpointIds,
  updateEndpointRow,
} from './queries.ts'
import { requireWebhookUrl } from './require-webhook-url.ts'
import { newWebhookSecret } from './sign.ts'

// Each is followed by the worker for as long as it is enabled. Whoever needs more than these wants
// one receiver that hands on.
const endpoints_max = 20

export interface EndpointInput {
  url: string
  events: string[]
}

/** Judged by itself, before anything is looked up: a fault in the body comes first. */
export function readEndpointFields<Fields extends Partial<EndpointInput>>(
  given: Fields,
  open: AddressPolicy,
): Fields {
  const { url, events } = given
  return {
    ...given,
    ...(url !== undefined && { url: requireWebhookUrl(url, open) }),
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
    // Read under the lock: the next event is the first it gets.
    event_sequence: lock.event_sequence,
    replay_after: null,
    replay_through: null,
    final_sequence: null,
    failing_since: null,
    url_changed_at: null,
    // The id may be of a later moment than this one, and created_at is read from it.
    updated_at: timeOfUuid(id),
  }
  await insertEndpoint(tx, row)
  return { ...presentEndpoint(row), secret: row.secret }
}

function tooMany(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account has at most ${endpoints_max} webhook endpoints. Delete one first.`,
  )
}

/** What makes the worker send anew is for active accounts; what was begun goes on. */
export function requireActive(lock: AccountLock): void {
  if (lock.status === 'active') return
  throw new Refusal('invalid_request', `The account is ${lock.status}; it must be active for this.`)
}

export interface EndpointChanges {
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

/** What changes nothing is no change: its time stays too, as with everything else. */
function isSame(row: EndpointRow, after: EndpointRow): boolean {
  const shown = ({ url, events, status }: EndpointRow) => JSON.stringify([url, events, status])
  return shown(row) === shown(after)
}

/** An endpoint that is enabled again begins with the next event; replay brings what it missed. */
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

// Real time may be set back; what callers see of one object never is.
function laterThan({ updated_at }: EndpointRow): Date {
  return new Date(Math.max(Date.now(), updated_at.getTime()))
}

/** The old secret signs too, for so long; one that was older still ends now. */
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
