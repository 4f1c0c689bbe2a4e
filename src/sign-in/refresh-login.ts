// POST /v1/auth/refresh: a refresh token works once. Its second use means that it was copied, so
// the whole session ends: every token of it is dead.

import { findAccountLock } from '../ledger/account-lock.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import { type IssuedTokens, issueTokens } from '../sessions/open-session.ts'
import { revokeSession } from '../sessions/revoke-sessions.ts'
import { findUsedRefreshToken, spendRefreshToken } from '../sessions/spend-refresh-token.ts'
import { lockUser } from '../users/credentials.ts'

export async function refreshLogin(db: Db, refresh_token: string): Promise<IssuedTokens> {
  // The outcome is a value, not a throw: the revocation after a reuse must be committed.
  const tokens = await db.transaction((tx) => exchange(tx, sha256(refresh_token)))
  if (tokens !== undefined) return tokens
  throw new Refusal(
    'invalid_grant',
    'The refresh token is expired, revoked, already used or unknown. Log in again.',
  )
}

async function exchange(tx: Tx, token_hash: Buffer): Promise<IssuedTokens | undefined> {
  const at = new Date()
  const spent = await spendRefreshToken(tx, token_hash, at)
  if (spent === undefined) return endReusedSession(tx, token_hash)
  const user = await lockUser(tx, spent.user_id)
  if (user?.status !== 'active') return undefined
  return issueTokens(tx, user, spent.session, at)
}

async function endReusedSession(tx: Tx, token_hash: Buffer): Promise<undefined> {
  const used = await findUsedRefreshToken(tx, token_hash)
  if (used === undefined) return
  if (used.account_id !== null) await findAccountLock(tx, used.account_id)
  await revokeSession(tx, used)
}
