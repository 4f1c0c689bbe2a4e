// All errors are one class with a `code`, whose values the compiler knows.

import type { ErrorCode } from './generated/error-codes.ts'

/** Errors without a response from Florin. */
export type ClientErrorCode =
  /** The connection failed or was lost. */
  | 'connection_failed'
  /** No response within `timeout_ms`. */
  | 'timed_out'
  /** The response is not from Florin but, for example, from a proxy. */
  | 'unexpected_response'
  /** A webhook with an invalid signature or timestamp. */
  | 'webhook_verification_failed'

export type FlorinErrorCode = ErrorCode | ClientErrorCode

interface ErrorDetails {
  /** The HTTP status; undefined without a response. */
  status?: number | undefined
  /** Identifies the request in Florin's logs. */
  request_id?: string | undefined
  /** Seconds to wait before a retry, if the server sent Retry-After. */
  retry_after_s?: number | undefined
  /** The token is valid; the request was rejected for another reason. */
  token_is_valid?: boolean | undefined
  /** The token is valid but lacks permission. */
  lacks_permission?: boolean | undefined
  /** The change may have been applied. */
  outcome_unknown?: boolean | undefined
  /** The Idempotency-Key of the change. */
  idempotency_key?: string | undefined
  cause?: unknown
}

export class FlorinError extends Error {
  override readonly name = 'FlorinError'
  readonly code: FlorinErrorCode
  readonly status: number | undefined
  readonly request_id: string | undefined
  readonly retry_after_s: number | undefined
  readonly token_is_valid: boolean
  readonly lacks_permission: boolean
  /**
   * The change may have been applied: check, or retry with `idempotency_key`. Always false for a
   * read and for a login.
   */
  readonly outcome_unknown: boolean
  /** The key of the change that failed; undefined for a request without one. */
  readonly idempotency_key: string | undefined

  constructor(code: FlorinErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.request_id = details.request_id
    this.retry_after_s = details.retry_after_s
    this.token_is_valid = details.token_is_valid ?? false
    this.lacks_permission = details.lacks_permission ?? false
    this.outcome_unknown = details.outcome_unknown ?? false
    this.idempotency_key = details.idempotency_key
  }
}

/** Turns an error response into a FlorinError. */
export function errorOf(response: { status: number; headers: Headers; text: string }): FlorinError {
  const { status, headers, text } = response
  const body = readBody(text)
  const challenge = readChallenge(headers.get('www-authenticate'))
  const details = {
    status,
    request_id: headers.get('request-id') ?? undefined,
    retry_after_s: readRetryAfter(headers.get('retry-after')),
    token_is_valid: challenge !== undefined && challenge !== 'invalid_token',
    lacks_permission: challenge === 'insufficient_scope',
  }
  if (body !== undefined) return new FlorinError(body.error as ErrorCode, body.message, details)
  const message =
    `The response with status ${status} is not from Florin. ` +
    'Check "base_url" and any proxy in between.'
  return new FlorinError('unexpected_response', message, details)
}

function readBody(text: string): { error: string; message: string } | undefined {
  try {
    const { error, message } = JSON.parse(text)
    return typeof error === 'string' && typeof message === 'string' ? { error, message } : undefined
  } catch {
    return undefined
  }
}

/** The error code of a 401. Florin sends none for an expired token. */
function readChallenge(text: string | null): string | undefined {
  return /\berror="?(\w+)/.exec(text ?? '')?.[1]
}

/** Florin sends seconds; a proxy may send a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const at_ms = Date.parse(text)
  return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000)
}
