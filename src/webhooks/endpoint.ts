// A webhook endpoint, as stored and as shown.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'

export type EndpointStatus = 'enabled' | 'disabled'

/**
 * manual: by the API. gone: the endpoint returned 410. failing: every delivery failed for days.
 * closed: the account was closed and its last events were sent.
 */
export type DisabledReason = 'manual' | 'gone' | 'failing' | 'closed'

/**
 * failing: enabled, but the latest deliveries failed. disabled: by Florin, because the endpoint
 * returned 410 or failed for days.
 */
export type EndpointHealth = 'failing' | 'disabled'

export interface EndpointName {
  account_id: string
  id: string
}

export interface EndpointRow extends EndpointName {
  url: string
  events: string[]
  status: EndpointStatus
  disabled_reason: DisabledReason | null
  secret: string
  previous_secret: string | null
  previous_secret_until: Date | null
  /** The cursor: the last of the account's events that was fanned out to this endpoint. */
  event_sequence: number
  replay_after: number | null
  replay_through: number | null
  /** Set if the account is closed: the last event to send. */
  final_sequence: number | null
  failing_since: Date | null
  /** When the URL was last changed; null if never. */
  url_changed_at: Date | null
  updated_at: Date
}

export interface Endpoint {
  id: string
  account_id: string
  url: string
  events: string[]
  status: EndpointStatus
  disabled_reason: DisabledReason | null
  failing_since: string | null
  previous_secret_expires_at: string | null
  replay: { after: number; through: number } | null
  created_at: string
  updated_at: string
}

export interface EndpointWithSecret extends Endpoint {
  /** Returned only when the secret is created. */
  secret: string
}

export function presentEndpoint(row: EndpointRow): Endpoint {
  const { replay_after, replay_through } = row
  return {
    id: toTypeId('webhook_endpoint', row.id),
    account_id: toTypeId('account', row.account_id),
    url: row.url,
    events: row.events,
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: timeOrNull(row.failing_since),
    previous_secret_expires_at: isPast(row.previous_secret_until)
      ? null
      : timeOrNull(row.previous_secret_until),
    replay:
      replay_after === null || replay_through === null
        ? null
        : { after: replay_after, through: replay_through },
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : toIso(time)
}

function isPast(time: Date | null): boolean {
  return time !== null && time.getTime() <= Date.now()
}

/** During a rotation both secrets sign, so receivers can switch without losing deliveries. */
export function secretsOf(row: EndpointRow, at: Date): string[] {
  const { secret, previous_secret, previous_secret_until } = row
  if (previous_secret === null || previous_secret_until! <= at) return [secret]
  return [secret, previous_secret]
}

export function unknownEndpoint(): Refusal {
  return new Refusal('not_found', 'No webhook endpoint with this id exists.')
}
