// A logged request: as captured, as a row, and as an API object.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

type CallerKind = 'user' | 'api_key'

/** What is captured when the response is sent. Nothing is redacted yet. */
export interface LoggedRequest {
  account_id: string
  /** The value of the Request-Id header: req_… */
  request_id: string
  method: string
  /** Path and query. */
  url: string
  status: number
  duration_ms: number
  caller_kind: CallerKind
  caller_id: string
  has_idempotency_key: boolean
  error: string | null
  /** The parsed body; undefined if there was none, or if it must not be logged. */
  request_body: unknown
  /** The text of the response; undefined if it must not be logged. */
  response_body: string | undefined
}

export interface EntryRow {
  account_id: string
  entry_id: string
  id: string
  method: string
  path: string
  status: number
  duration_ms: number
  caller_kind: CallerKind
  caller_id: string
  has_idempotency_key: boolean
  error: string | null
  request_body: string | null
  response_body: string | null
}

export interface RequestLogEntry {
  id: string
  account_id: string
  created_at: string
  method: string
  path: string
  status: number
  duration_ms: number
  caller: { kind: CallerKind; id: string }
  idempotency_key: boolean
  error: string | null
  request_body: string | null
  response_body: string | null
}

export function presentEntry(row: EntryRow): RequestLogEntry {
  const caller_kind = row.caller_kind === 'user' ? 'user' : 'api_key'
  return {
    id: toTypeId('request', row.id),
    account_id: toTypeId('account', row.account_id),
    created_at: toIso(timeOfUuid(row.id)),
    method: row.method,
    path: row.path,
    status: row.status,
    duration_ms: row.duration_ms,
    caller: { kind: row.caller_kind, id: toTypeId(caller_kind, row.caller_id) },
    idempotency_key: row.has_idempotency_key,
    error: row.error,
    request_body: row.request_body,
    response_body: row.response_body,
  }
}
