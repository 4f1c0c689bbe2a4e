// Expected errors. A refusal is thrown, because a throw rolls the database transaction back; a
// returned error would commit half of a change.

export type RefusalCode =
  | 'account_not_found'
  | 'active_subscriptions'
  | 'conflict'
  | 'currency_mismatch'
  | 'email_exists'
  | 'forbidden'
  | 'idempotency_conflict'
  | 'insufficient_funds'
  | 'internal_error'
  | 'invalid_credentials'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_session'
  | 'not_cancellable'
  | 'not_found'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'

export interface RefusalDetails {
  /** Seconds after which the same request may succeed; sent as Retry-After. */
  retry_after_s?: number
  /** The token is valid but lacks permission: WWW-Authenticate has insufficient_scope. */
  insufficient_scope?: boolean
  /** The token is valid but the password sent with it is not: insufficient_user_authentication. */
  wrong_password?: boolean
  /**
   * The token is valid, or the password is right, but a second factor or a newer login is needed:
   * insufficient_user_authentication, with max_age if the login may not be older.
   */
  needs_login?: { max_age_s?: number }
  /** The account cannot be used, so no item of a bulk request can succeed. */
  of_account?: boolean
  /** The Idempotency-Key was used for another request: 422 instead of 409. */
  key_reused?: boolean
  cause?: unknown
}

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

// Created once: under overload every microsecond that a rejection takes is taken from requests that
// are served, and its stack trace is useless.
const too_busy = new Refusal('unavailable', 'Florin is too busy right now. Try again shortly.', {
  retry_after_s: 1,
})

export function tooBusy(): Refusal {
  return too_busy
}
