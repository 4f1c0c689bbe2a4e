// POST /v1/auth/refresh: a refresh token works once. Its second use means that it was copied, so
// the whole session ends: every token of it is dead.

import { findAccountLock } from '../ledger/account-lock.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import { type IssuedTokens, issueTokens } from '../sessions/open-session.ts'
import { lockTokens, revokeSession } from '../sessions/revoke-sessions.ts'
import { findUsedRefreshToken, spendRefreshToken } from '../sessions/spend-refresh-token.ts'
import { lockUser } from '../users/credentials.ts'

export async function refreshLogin(db: Db, refresh_token: string): Promise<IssuedTokens> {
  const token_hash = sha256(refresh_token)
  const tokens = await db.transaction((tx) => exchange(tx, token_hash))
  if (tokens !== undefined) return tokens
  // A change of its own, which is committed although the answer is a refusal. It must not go on in
  // the one before: an update that came too late still holds the token's row, and whoever revokes
  // takes the account first. Twenty parallel uses of one token waited for each other in a ring.
  await endReusedSession(db, token_hash)
  throw new Refusal(
    'invalid_grant',
    'The refresh token is expired, revoked, already used or unknown. Log in again.',
  )
}

async function exchange(tx: Tx, token_hash: Buffer): Promise<IssuedTokens | undefined> {
  const at = new Date()
  const spent = await spendRefreshToken(tx, token_hash, at)
  if (spent === undefined) return undefined
  const user = await lockUser(tx, spent.user_id)
  if (user?.status !== 'active') return undefined
  return issueTokens(tx, user, spent.session, at)
}

async function endReusedSession(db: Db, token_hash: Buffer): Promise<void> {
  const used = await findUsedRefreshToken(db, token_hash)
  if (used === undefined) return
  await db.transaction(async (tx) => {
    if (used.account_id !== null) await findAccountLock(tx, used.account_id)
    await lockTokens(tx, used.user_id)
    await revokeSession(tx, used)
  })
}
