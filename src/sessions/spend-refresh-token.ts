// Rotation of refresh tokens: one conditional update decides who was first.

import type { Queryable, Tx } from '../postgres/database.ts'
import { findTokens, type SessionRow, touchSession, useRefreshToken } from './queries.ts'

export interface SpentToken {
  user_id: string
  session: SessionRow
}

/** Marks an unused, unexpired refresh token as used. Undefined for any other. */
export async function spendRefreshToken(
  tx: Tx,
  token_hash: Buffer,
  at: Date,
): Promise<SpentToken | undefined> {
  const token = await useRefreshToken(tx, token_hash, at)
  if (token === undefined) return undefined
  const session = await touchSession(tx, token.principal_id, at)
  return session && { user_id: token.user_id, session }
}

/** A refresh token that has been exchanged before, and whose session still lives. */
export async function findUsedRefreshToken(
  db: Queryable,
  token_hash: Buffer,
): Promise<{ session_id: string; user_id: string; account_id: string | null } | undefined> {
  const [token] = await findTokens(db, [token_hash])
  if (token?.kind !== 'refresh' || token.used_at === null) return undefined
  return { session_id: token.principal_id, user_id: token.user_id, account_id: token.account_id }
}
