// Rotation of refresh tokens. One conditional update decides which of two concurrent uses is first.

import type { Queryable, Tx } from '../../postgres/database.ts'
import {
  deleteOldGenerations,
  findTokens,
  lockSessionOfToken,
  renewSession,
  type SessionRow,
  type TokenRow,
  useRefreshToken,
} from './queries.ts'

// A client that renews every hour can detect a stolen refresh token for four days. An older token
// is unknown: it is rejected, and its reuse does not end the session.
const generations_retained = 100

// A renewal adds two rows. The rest shrinks sessions from before this limit.
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
  const oldest_retained = session.generation - generations_retained
  await deleteOldGenerations(tx, session.id, oldest_retained, deleted_max)
  return session
}
