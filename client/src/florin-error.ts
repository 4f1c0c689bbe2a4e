// Everything that goes wrong is one class with a code, so that a program decides by `code` and the
// compiler knows every code there is.

import type { RawResponse } from './call.ts'
import type { ErrorCode } from './generated/error-codes.ts'

/** What goes wrong before or without an answer of Florin. */
export type ClientErrorCode =
  /** No connection, or it was lost. A change may have happened. */
  | 'connection_failed'
  /** No answer within `timeout_ms`. A change may have happened. */
  | 'timed_out'
  /** Something else answered, such as a proxy. From status 500 on a change may have happened. */
  | 'unexpected_response'
  /** A webhook whose signature or time is not right. */
  | 'webhook_verification_failed'

export type FlorinErrorCode = ErrorCode | ClientErrorCode

export interface ErrorDetails {
  /** The HTTP status; undefined when no answer came. */
  status?: number | undefined
  /** Names the request in Florin's logs. */
  request_id?: string | undefined
  /** When Florin says that trying again makes sense. */
  retry_after_s?: number | undefined
  /** Florin knew the token and refused for another reason: renewing it would not help. */
  token_is_valid?: boolean | undefined
  /** The token is good and lacks permission. */
  lacks_permission?: boolean | undefined
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

  constructor(code: FlorinErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.request_id = details.request_id
    this.retry_after_s = details.retry_after_s
    this.token_is_valid = details.token_is_valid ?? false
    this.lacks_permission = details.lacks_permission ?? false
  }
}

/** The error that an answer is. */
export function errorOf({ status, headers, text }: RawResponse): FlorinError {
  const told = readBody(text)
  const challenge = readChallenge(headers.get('www-authenticate'))
  const details = {
    status,
    request_id: headers.get('request-id') ?? undefined,
    retry_after_s: readRetryAfter(headers.get('retry-after')),
    token_is_valid: challenge !== undefined && challenge !== 'invalid_token',
    lacks_permission: challenge === 'insufficient_scope',
  }
  if (told !== undefined) return new FlorinError(told.error as ErrorCode, told.message, details)
  const message =
    `The response with status ${status} is not Florin's. ` +
    'Look at base_url, and at what stands between here and there.'
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

/** What a 401 says is wrong. Florin says nothing of a token that has ended. */
function readChallenge(text: string | null): string | undefined {
  return /\berror="?(\w+)/.exec(text ?? '')?.[1]
}

/** Seconds, as Florin sends them, or a date, as a proxy may. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const at_ms = Date.parse(text)
  return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000)
}
