// Reads of users for login/. Users of a closed account count as deleted, even before clean-up has
// deleted their rows (docs/decisions/0018).

import { isClosed } from '../../ledger/closings.ts'
import type { Queryable, Tx } from '../../postgres/database.ts'
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
 * Locks the user's row, so that status and password cannot change. A user whose creating API key
 * was revoked counts as suspended, even before the worker has updated the row.
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
