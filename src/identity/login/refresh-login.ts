// POST /v1/auth/refresh. A refresh token can be used once. A second use means that it was copied,
// so the session is ended and all of its tokens are revoked.

import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { sha256 } from '../../primitives/secrets.ts'
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
  // In a separate transaction: it must commit even if the request fails, and it takes the account
  // lock, which comes before the user's lock in the lock order.
  await endIfReused(db, token_hash)
  throw invalidGrant()
}

/**
 * For a caller that stores the new tokens in the same database transaction, so that a crash cannot
 * lose them. Returns undefined if the token is invalid.
 */
export async function exchangeRefreshToken(
  tx: Tx,
  refresh_token: string,
): Promise<IssuedTokens | undefined> {
  const token_hash = sha256(refresh_token)
  const found = await findRefreshToken(tx, token_hash)
  return found && exchange(tx, found.user_id, token_hash)
}

// Locks the user, then the session, then the token. This order prevents deadlocks, and because
// sessions are opened and ended under the user's lock, a revocation finds all of them.
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
    if (account_id !== null) await lockAccountIfExists(tx, account_id)
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
