// Rotation of refresh tokens: one conditional update decides who was first.

import type { Queryable, Tx } from '../postgres/database.ts'
import {
  deleteOldGenerations,
  findTokens,
  lockSessionOfToken,
  renewSession,
  type SessionRow,
  type TokenRow,
  useRefreshToken,
} from './queries.ts'

// A client that renews every hour is recognized for four days after its refresh token was stolen.
// A token that is older than this is unknown: it renews nothing, and its reuse ends no session.
const generations_retained = 100

// A renewal leaves two rows. The rest is for sessions from before the bound, which shrink.
const deleted_max = 100

/** A refresh token whose session has not been revoked: unused, used or expired. */
export async function findRefreshToken(
  db: Queryable,
  token_hash: Buffer,
): Promise<TokenRow | undefined> {
  const [token] = await findTokens(db, [token_hash])
  return token?.kind === 'refresh' ? token : undefined
}

/**
 * Marks an unused, unexpired refresh token as used and starts the next generation of its session.
 * Undefined for any other token.
 */
export async function spendRefreshToken(
  tx: Tx,
  token_hash: Buffer,
  at: Date,
): Promise<SessionRow | undefined> {
  if (!(await lockSessionOfToken(tx, token_hash))) return undefined
  if (!(await useRefreshToken(tx, token_hash, at))) return undefined
  const session = await renewSession(tx, token_hash, at)
  if (session === undefined) return undefined
  const oldest_kept = session.generation - generations_retained
  await deleteOldGenerations(tx, session.id, oldest_kept, deleted_max)
  return session
}
