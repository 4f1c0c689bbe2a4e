// Who is asking: what a valid token says about its bearer.

import type { IdempotencyContext } from '../idempotency/change-once.ts'

export type Role = 'admin' | 'platform' | 'owner' | 'member' | 'lone' | 'account_key'

export interface Caller {
  kind: 'session' | 'api_key'
  role: Role
  /** The person, or who made the key. */
  user_id: string
  /** The account the caller belongs to; null for admins, platforms and lone users. */
  account_id: string | null
  /** The session or the key. */
  principal_id: string
  token_hash: Buffer
  /** What a key was given; undefined for a person, who has no scopes but a role. */
  scopes: readonly string[] | undefined
  request_id: string
  /** What the Florin-Account header names; `unknown` when it cannot be an account's id. */
  header_account_id: string | 'unknown' | undefined
  /** The Idempotency-Key of this request: its change happens once. */
  idempotency?: IdempotencyContext
}

/** Admins and platforms act on many accounts; everybody else belongs to one at most. */
export function isAdminOrPlatform(caller: Caller): boolean {
  return caller.role === 'admin' || caller.role === 'platform'
}
