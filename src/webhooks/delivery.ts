// The delivery of one event to one endpoint, as stored and as shown. It is pending while it has
// attempts left. Succeeded, failed and canceled are final, but a retry reopens it. The API shows a
// pending delivery whose last attempt failed as `retrying`.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import { timeOrNull } from './endpoint.ts'

/** As stored. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** As shown. */
export const shown_statuses = ['pending', 'retrying', 'delivered', 'failed', 'canceled'] as const

export type ShownStatus = (typeof shown_statuses)[number]

export interface DeliveryRow {
  account_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  /** Null for a test, which is not an event of the account. */
  event_sequence: number | null
  test_body: string | null
  status: DeliveryStatus
  /** All attempts, including those before a resend. */
  attempts: number
  next_at: Date | null
  attempted_at: Date | null
  url: string | null
  duration_ms: number | null
  response_status: number | null
  response_body: Buffer | null
  error: string | null
}

/** One attempt. The last is stored in the delivery row, earlier ones in webhook_attempts. */
export interface AttemptRow {
  attempted_at: Date
  url: string
  duration_ms: number
  response_status: number | null
  response_body: Buffer | null
  error: string | null
}

export interface ListedDelivery {
  id: string
  account_id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event_sequence: number | null
  status: ShownStatus
  attempts: number
  last_attempt_at: string | null
  next_attempt_at: string | null
  duration_ms: number | null
  response_status: number | null
  error: string | null
  created_at: string
}

export interface Delivery extends ListedDelivery {
  /** The last request, or the first one to be sent. Null if its event has been deleted. */
  request: { url: string; headers: Record<string, string>; body: string } | null
  response: { status: number; body: string } | null
  /** All attempts, newest first. */
  history: Attempt[]
}

interface Attempt {
  at: string
  url: string
  duration_ms: number
  response: { status: number; body: string } | null
  error: string | null
}

export function presentListed(row: DeliveryRow): ListedDelivery {
  return {
    id: toTypeId('webhook_delivery', row.id),
    account_id: toTypeId('account', row.account_id),
    endpoint_id: toTypeId('webhook_endpoint', row.endpoint_id),
    event_id: toTypeId('event', row.event_id),
    event_type: row.event_type,
    event_sequence: row.event_sequence,
    status: shownStatus(row),
    attempts: row.attempts,
    last_attempt_at: timeOrNull(row.attempted_at),
    next_attempt_at: timeOrNull(row.next_at),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    error: row.error,
    created_at: toIso(timeOfUuid(row.id)),
  }
}

// Must match the filter in queries.ts.
function shownStatus({ status, attempted_at, response_status }: DeliveryRow): ShownStatus {
  if (status === 'succeeded') return 'delivered'
  if (status !== 'pending' || attempted_at === null) return status
  const succeeded = response_status !== null && response_status >= 200 && response_status < 300
  return succeeded ? 'pending' : 'retrying'
}

/** `url` is the endpoint's current URL, for a delivery without attempts. */
export function presentDelivery(
  row: DeliveryRow,
  url: string | undefined,
  body: string | undefined,
  past: AttemptRow[],
): Delivery {
  const target = row.url ?? url
  const is_complete = target !== undefined && body !== undefined
  return {
    ...presentListed(row),
    request: is_complete ? { url: target, headers: shownHeaders(row), body } : null,
    response: presentResponse(row),
    history: attemptsOf(row, past).map(presentAttempt),
  }
}

/** The last attempt of a canceled delivery is already in the history, with its own error. */
function attemptsOf(row: DeliveryRow, past: AttemptRow[]): AttemptRow[] {
  const { attempted_at, url, duration_ms } = row
  if (attempted_at === null || url === null || duration_ms === null) return past
  if (past.some((attempt) => attempt.attempted_at.getTime() === attempted_at.getTime())) return past
  return [{ ...row, attempted_at, url, duration_ms }, ...past]
}

// Earlier versions stored 64 KiB per attempt; 20 of them would be more than a megabyte.
const history_body_bytes_max = 4_096

function presentAttempt(row: AttemptRow): Attempt {
  const { attempted_at, url, duration_ms, response_status, error } = row
  const response_body = row.response_body?.subarray(0, history_body_bytes_max) ?? null
  const response = presentResponse({ response_status, response_body })
  return { at: toIso(attempted_at), url, duration_ms, response, error }
}

function presentResponse({
  response_status: status,
  response_body: body,
}: Pick<AttemptRow, 'response_status' | 'response_body'>): Attempt['response'] {
  return status === null ? null : { status, body: body?.toString('utf8') ?? '' }
}

// Omits the signature, which is a secret of the account and can be computed from the body.
function shownHeaders(row: DeliveryRow): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': toTypeId('event', row.event_id),
  }
  if (row.attempted_at === null) return headers
  return { ...headers, 'webhook-timestamp': String(Math.floor(row.attempted_at.getTime() / 1000)) }
}

export function unknownDelivery(): Refusal {
  return new Refusal('not_found', 'No webhook delivery with this id exists.')
}
