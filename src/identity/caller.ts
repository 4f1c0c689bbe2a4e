// The caller of a request, as identified by a valid token.

import type { IdempotencyContext } from '../idempotency/change-once.ts'

export type Role = 'admin' | 'platform' | 'owner' | 'member' | 'viewer' | 'lone' | 'account_key'

export interface Caller {
  kind: 'session' | 'api_key'
  role: Role
  /** The user, or the creator of the API key. */
  user_id: string
  /** The account the caller belongs to; null for admins, platforms and lone users. */
  account_id: string | null
  /** The id of the session or the API key. */
  principal_id: string
  token_hash: Buffer
  /** The scopes of an API key; undefined for a session, which has only a role. */
  scopes: readonly string[] | undefined
  request_id: string
  /** The account in the Florin-Account header; `unknown` if it is not a valid account id. */
  header_account_id: string | 'unknown' | undefined
  /** Set if the request has an Idempotency-Key. */
  idempotency?: IdempotencyContext
}

/** A user of an account who is not its owner. */
export function isMember(role: Role | null): role is 'member' | 'viewer' {
  return role === 'member' || role === 'viewer'
}

/** Admins and platforms act on any account; all other callers belong to at most one. */
export function isAdminOrPlatform(caller: Caller): boolean {
  return caller.role === 'admin' || caller.role === 'platform'
}
