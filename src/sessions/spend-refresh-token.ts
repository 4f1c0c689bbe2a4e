// Rotation of refresh tokens: one conditional update decides who was first.

import type { Queryable, Tx } from '../postgres/database.ts'
import {
  findTokens,
  type SessionRow,
  type TokenRow,
  touchSession,
  useRefreshToken,
} from './queries.ts'

/** A refresh token whose session has not been revoked: unused, used or expired. */
export async function findRefreshToken(
  db: Queryable,
  token_hash: Buffer,
): Promise<TokenRow | undefined> {
  const [token] = await findTokens(db, [token_hash])
  return token?.kind === 'refresh' ? token : undefined
}

/** Marks an unused, unexpired refresh token as used. Undefined for any other. */
export async function spendRefreshToken(
  tx: Tx,
  token_hash: Buffer,
  at: Date,
): Promise<SessionRow | undefined> {
  const token = await useRefreshToken(tx, token_hash, at)
  return token && touchSession(tx, token.principal_id, at)
}
