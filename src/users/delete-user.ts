// DELETE /v1/users/{user_id}. What a caller may not delete is forbidden whether it exists or not;
// only an admin learns that a user is unknown.

import type { Actor } from '../audit/record-deed.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { lockInstance } from '../postgres/instance.ts'
import { changeCounts } from '../postgres/list-counts.ts'
import { canonicalEmail } from '../primitives/email.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import type { Caller } from '../sessions/caller.ts'
import { forbidden } from '../sessions/permissions.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockTokens, revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { lockOpenAccount } from './acting-account.ts'
import { actorOf } from './actor.ts'
import { tellAboutUser, unknownUser } from './add-user.ts'
import { isWithinReach } from './judge-user.ts'
import { countAdmins, deleteEmailClaim, deleteUserRow, lockUserRow, selectUser } from './queries.ts'
import type { UserRow } from './user.ts'

export async function deleteUser(
  db: Db,
  caller: Caller,
  user_id: string,
): Promise<{ message: string; id: string }> {
  const id = findUuid('user', user_id)
  const seen = id === undefined ? undefined : await selectUser(db, id)
  requireDeletable(caller, seen)
  await db.transaction(async (tx) => {
    const lock = await takeLocks(tx, caller, seen)
    const row = await lockUserRow(tx, seen.id)
    if (row?.account_id !== seen.account_id) return requireDeletable(caller, undefined)
    requireDeletable(caller, row)
    if (row.role === 'admin' && (await countAdmins(tx)) === 1) throw lastAdmin()
    await removeUser(tx, actorOf(caller), lock, row, 'free_email')
  })
  return { message: 'The user has been deleted.', id: toTypeId('user', seen.id) }
}

function requireDeletable(caller: Caller, user: UserRow | undefined): asserts user is UserRow {
  if (user !== undefined && isWithinReach(caller, 'delete_user', user)) {
    if (user.role !== 'owner') return
    throw forbidden("An account's owner cannot be deleted. Close the account instead.")
  }
  if (caller.role === 'admin') throw unknownUser()
  throw forbidden('This token may not delete this user.')
}

async function takeLocks(tx: Tx, caller: Caller, user: UserRow): Promise<AccountLock | undefined> {
  const lock = user.account_id === null ? undefined : await lockOpenAccount(tx, user.account_id)
  if (user.role === 'admin') await lockInstance(tx)
  await requireLiveToken(tx, caller)
  await lockTokens(tx, user.id)
  return lock
}

/** Removes a user with sessions and tokens. A closed account's own email stays taken for good. */
export async function removeUser(
  tx: Tx,
  actor: Actor,
  lock: AccountLock | undefined,
  row: UserRow,
  email: 'free_email' | 'keep_email',
): Promise<void> {
  await revokeSessionsOfUser(tx, row.id)
  await deleteUserRow(tx, row.id)
  if (email === 'free_email') await deleteEmailClaim(tx, canonicalEmail(row.email))
  await tellAboutUser(tx, actor, lock, 'user.deleted', row)
  await changeCounts(tx, [{ list: 'users', status: row.status, type: '', id: row.id, by: -1 }])
}

function lastAdmin() {
  return forbidden('The last admin cannot be deleted. Make another one first: florin admin create.')
}
