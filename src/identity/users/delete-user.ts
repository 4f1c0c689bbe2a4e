// DELETE /v1/users/{user_id}. Returns 403 if the caller may not delete the user, whether the user
// exists or not. Only an admin gets 404.

import type { Actor } from '../../audit/record-audit-entry.ts'
import { deleteNotificationSettings } from '../../email/notices.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { type CountChange, changeCounts } from '../../postgres/list-counts.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { findUuid, timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import type { Refusal } from '../../primitives/refusal.ts'
import { revokeKeysOfCreator } from '../api-keys/revoke-keys.ts'
import type { Caller } from '../caller.ts'
import { deleteFactorsOfUsers } from '../factors/recovery-codes.ts'
import { deleteIdentitiesOf } from '../oidc/identities.ts'
import { deleteLinks } from '../one-time-links/link.ts'
import { forbidden } from '../permissions.ts'
import { actorOf, worker } from '../sessions/actor.ts'
import { revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { recordUserChange, unknownUser } from './add-user.ts'
import { deleteKnownDevices } from './device-queries.ts'
import { findUser } from './get-user.ts'
import { lockForChange, lockWithSessions } from './lock-for-change.ts'
import { deleteEmailClaim, deleteUserRow, hasOtherActiveAdmin } from './queries.ts'
import type { UserRow } from './user.ts'
import { isWithinReach } from './user-access.ts'

export async function deleteUser(
  db: Db,
  caller: Caller,
  user_id: string,
): Promise<{ message: string; id: string }> {
  const seen = await findUser(db, requireDeletableId(caller, user_id))
  requireDeletable(caller, seen)
  const deleted = await changeOnce(db, caller.idempotency, async (tx) => {
    if (!(await removeIfDeletable(tx, caller, seen))) return undefined
    return { message: 'The user has been deleted.', id: toTypeId('user', seen.id) }
  })
  return deleted ?? deleteUser(db, caller, user_id)
}

/** A malformed id is rejected before the body is validated. */
export function requireDeletableId(caller: Caller, text: string): string {
  const id = findUuid('user', text)
  if (id === undefined) throw notDeletable(caller)
  return id
}

/** Returns false if the user opened an account after `seen` was read. The caller retries. */
async function removeIfDeletable(tx: Tx, caller: Caller, seen: UserRow): Promise<boolean> {
  const { lock, key_locks, row, moved } = await lockForChange(tx, caller, seen)
  if (moved) return false
  requireDeletable(caller, row)
  // A suspended admin does not count: they could not log in to create another one.
  if (row.role === 'admin' && !(await hasOtherActiveAdmin(tx, row.id))) throw lastAdmin()
  await revokeKeysOfCreator(tx, actorOf(caller), row.id, key_locks)
  await changeCounts(tx, [await removeUser(tx, actorOf(caller), lock, row)])
  return true
}

function requireDeletable(caller: Caller, user: UserRow | undefined): asserts user is UserRow {
  const is_within_reach = user !== undefined && isWithinReach(caller, 'delete_user', user)
  // The message about owners reveals nothing to callers who delete themselves.
  const is_known = is_within_reach || user?.id === caller.user_id
  if (is_known && user?.role === 'owner') {
    throw forbidden('The owner of an account cannot be deleted. Close the account instead.')
  }
  if (!is_within_reach) throw notDeletable(caller)
}

function notDeletable(caller: Caller): Refusal {
  if (caller.role === 'admin') return unknownUser()
  return forbidden('This token is not allowed to delete this user.')
}

/**
 * Deletes a user without an account who signed up and never verified the email. Returns false if
 * the user was changed since: then an admin has decided about it.
 */
export async function deleteUnverifiedUser(tx: Tx, seen: UserRow): Promise<boolean> {
  const { lock, row, moved } = await lockWithSessions(tx, seen)
  if (moved || row === undefined || !isUntouchedSignUp(row)) return false
  await deleteLinks(tx, row.id)
  await changeCounts(tx, [await removeUser(tx, worker, lock, row)])
  return true
}

/** Whether the user is pending since the sign-up. An admin can set other users to pending. */
export function isUntouchedSignUp({ id, status, updated_at }: UserRow): boolean {
  return status === 'pending' && updated_at.getTime() === timeOfUuid(id).getTime()
}

/** Deletes sessions and tokens too. The API keys that the user created are already revoked. */
async function removeUser(
  tx: Tx,
  actor: Actor,
  lock: AccountLock | undefined,
  row: UserRow,
): Promise<CountChange> {
  await revokeSessionsOfUser(tx, row.id)
  await deleteFactorsOfUsers(tx, [row.id])
  await deleteIdentitiesOf(tx, [row.id])
  await deleteNotificationSettings(tx, [row.id])
  await deleteKnownDevices(tx, [row.id])
  await deleteUserRow(tx, row.id)
  await deleteEmailClaim(tx, canonicalEmail(row.email))
  await recordUserChange(tx, actor, lock, 'user.deleted', row)
  return { list: 'users', status: row.status, type: '', id: row.id, by: -1 }
}

function lastAdmin() {
  return forbidden(
    'The last admin cannot be deleted. Create another one first with "florin admin create".',
  )
}
