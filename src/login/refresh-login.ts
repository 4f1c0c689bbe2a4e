// POST /v1/auth/refresh: a refresh token works once. Its second use means that it was copied, so
// the whole session ends: every token of it is dead.

import { findAccountLock } from '../ledger/account-lock.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import { type IssuedTokens, issueTokens } from '../sessions/open-session.ts'
import { endSessions, lockSessionsIn } from '../sessions/revoke-sessions.ts'
import { findRefreshToken, spendRefreshToken } from '../sessions/spend-refresh-token.ts'
import { lockUser } from '../users/credentials.ts'

export async function refreshLogin(db: Db, refresh_token: string): Promise<IssuedTokens> {
  const token_hash = sha256(refresh_token)
  const found = await findRefreshToken(db, token_hash)
  if (found === undefined) throw invalidGrant()
  const tokens = await db.transaction((tx) => exchange(tx, found.user_id, token_hash))
  if (tokens !== undefined) return tokens
  // A change of its own: it is committed although the answer is a refusal, and it takes the
  // account's lock, which nobody may wait for with a user's lock in hand.
  await endIfReused(db, token_hash)
  throw invalidGrant()
}

/**
 * For whoever keeps a session's tokens and stores the new pair in the same database transaction:
 * then a crash loses neither. Undefined when the token is good for nothing any more.
 */
export async function exchangeRefreshToken(
  tx: Tx,
  refresh_token: string,
): Promise<IssuedTokens | undefined> {
  const token_hash = sha256(refresh_token)
  const found = await findRefreshToken(tx, token_hash)
  return found && exchange(tx, found.user_id, token_hash)
}

// The user's row, then the session's, then the token's: sessions are opened and ended under the
// user's row, so a revocation sees them all, and the one order prevents deadlocks.
async function exchange(
  tx: Tx,
  user_id: string,
  token_hash: Buffer,
): Promise<IssuedTokens | undefined> {
  const user = await lockUser(tx, user_id)
  if (user?.status !== 'active') return undefined
  const at = new Date()
  const session = await spendRefreshToken(tx, token_hash, at)
  return session && issueTokens(tx, session, at)
}

async function endIfReused(db: Db, token_hash: Buffer): Promise<void> {
  const found = await findRefreshToken(db, token_hash)
  if (found === undefined || found.used_at === null) return
  const { account_id, user_id, principal_id: session_id } = found
  const moved_to = await db.transaction(async (tx) => {
    if (account_id !== null) await findAccountLock(tx, account_id)
    await lockUser(tx, user_id)
    const moved_to = await lockSessionsIn(tx, user_id, account_id, [session_id])
    if (moved_to === undefined) await endSessions(tx, [session_id])
    return moved_to
  })
  if (moved_to !== undefined) await endIfReused(db, token_hash)
}

function invalidGrant(): Refusal {
  return new Refusal(
    'invalid_grant',
    'The refresh token is expired, revoked, already used or unknown. Log in again.',
  )
}
