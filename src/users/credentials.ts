// What signing in needs to know of a user. Only this room reads users; login/ asks it. Users of a
// closed account count as deleted, whether or not a slice has deleted them (docs/decisions/0018).

import { isClosed } from '../ledger/closings.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { isRevokedCreator } from '../sessions/revoke-sessions.ts'
import { lockUserRow, selectCredentials } from './queries.ts'
import type { UserRow } from './user.ts'

export async function findCredentials(
  db: Queryable,
  email_canonical: string,
): Promise<{ id: string; password_hash: string } | undefined> {
  const found = await selectCredentials(db, email_canonical)
  return found && !(await isClosed(db, found.account_id)) ? found : undefined
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
  if (!row || (await isClosed(tx, row.account_id))) return undefined
  const key_id = row.created_by_key_id
  if (!key_id || !(await isRevokedCreator(tx, key_id))) return row
  return { ...row, status: 'suspended' }
}
