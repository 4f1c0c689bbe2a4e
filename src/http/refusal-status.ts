// The HTTP status of each error code. The Record type makes a code without a status a compile
// error.

import type { RefusalCode } from '../primitives/refusal.ts'

export const refusalStatus: Record<RefusalCode, number> = {
  account_not_found: 404,
  active_subscriptions: 409,
  conflict: 409,
  currency_mismatch: 400,
  email_exists: 409,
  forbidden: 403,
  idempotency_conflict: 409,
  insufficient_funds: 402,
  internal_error: 500,
  invalid_credentials: 401,
  invalid_grant: 401,
  invalid_request: 400,
  invalid_session: 404,
  not_cancellable: 409,
  not_found: 404,
  rate_limited: 429,
  unauthorized: 401,
  unavailable: 503,
}
