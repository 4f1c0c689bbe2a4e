// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.

/** What a program decides by when Florin says no. */
export type ErrorCode =
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
