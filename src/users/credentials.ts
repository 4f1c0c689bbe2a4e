// What signing in needs to know of a user. Only this room reads users; sign-in/ asks it.

import type { Queryable, Tx } from '../postgres/database.ts'
import { isRevokedCreator } from '../sessions/revoke-sessions.ts'
import { lockUserRow, selectCredentials } from './queries.ts'
import type { UserRow } from './user.ts'

export async function findCredentials(
  db: Queryable,
  email_canonical: string,
): Promise<{ id: string; password_hash: string } | undefined> {
  return selectCredentials(db, email_canonical)
}

/**
 * The user's row, locked until the change ends, so that neither status nor password moves. A user
 * whose creating API key was revoked is suspended, also before the worker has written so.
 */
export async function lockUser(
  tx: Tx,
  user_id: string,
): Promise<(UserRow & { password_hash: string }) | undefined> {
  const row = await lockUserRow(tx, user_id)
  const key_id = row?.created_by_key_id
  if (!row || !key_id || !(await isRevokedCreator(tx, key_id))) return row
  return { ...row, status: 'suspended' }
}
