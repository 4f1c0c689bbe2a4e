// PATCH /v1/users/{user_id}: name, status, password. A user who loses the status active, or whose
// password changes, loses sessions in the same database transaction.

import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { lockInstance } from '../postgres/instance.ts'
import { changeCounts } from '../postgres/list-counts.ts'
import type { Caller } from '../sessions/caller.ts'
import { lacksPermission } from '../sessions/permissions.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockTokens, revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { lockOpenAccount } from './acting-account.ts'
import { actorOf } from './actor.ts'
import { tellAboutUser, unknownUser } from './add-user.ts'
import { getVisibleUser } from './get-user.ts'
import { isSelf, isWithinReach } from './judge-user.ts'
import { hashPassword } from './password.ts'
import { type PasswordPolicy, requireGoodPassword } from './password-policy.ts'
import { lockUserRow, updateUserRow } from './queries.ts'
import { presentUser, searchText, type User, type UserRow, type UserStatus } from './user.ts'

export interface UserChanges {
  name?: string | null
  status?: UserStatus
  password?: string
}

export async function updateUser(
  db: Db,
  caller: Caller,
  user_id: string,
  changes: UserChanges,
  policy: PasswordPolicy,
): Promise<User> {
  if (changes.password !== undefined) requireGoodPassword(changes.password, policy)
  const seen = await getVisibleUser(db, caller, user_id)
  requireAllowed(caller, seen, changes)
  const password_hash =
    changes.password === undefined ? undefined : await hashPassword(changes.password)
  const row = await db.transaction((tx) => change(tx, caller, seen, changes, password_hash))
  return presentUser(row)
}

function requireAllowed(caller: Caller, user: UserRow, changes: UserChanges): void {
  if (!isWithinReach(caller, 'update_user', user)) throw lacksPermission(caller, 'update_user')
  if (changes.status === undefined) return
  const own_status = caller.role === 'admin' && isSelf(caller, user)
  if (own_status || !isWithinReach(caller, 'update_user_status', user)) {
    throw lacksPermission(caller, 'update_user_status')
  }
}

async function change(
  tx: Tx,
  caller: Caller,
  seen: UserRow,
  changes: UserChanges,
  password_hash: string | undefined,
): Promise<UserRow> {
  const lock = await takeLocks(tx, caller, seen)
  const before = await lockUserRow(tx, seen.id)
  // Between the look and the lock the user may have gone or moved to an account.
  if (before === undefined || before.account_id !== seen.account_id) throw unknownUser()
  requireAllowed(caller, before, changes)
  const after = { ...before, ...given(changes) }
  const renamed = after.name !== before.name
  const moved = after.status !== before.status
  if (!renamed && !moved && password_hash === undefined) return before
  after.updated_at = tx.now
  after.password_hash = password_hash ?? before.password_hash
  await updateUserRow(tx, { ...after, search: searchText(after) })
  await revokeAfter(tx, caller, after, password_hash !== undefined)
  const details = { name: renamed, status: moved ? after.status : false, password: !!password_hash }
  await tellAboutUser(tx, actorOf(caller), lock, 'user.updated', after, details)
  if (moved) await recount(tx, before, after)
  return after
}

function given(changes: UserChanges): Partial<UserRow> {
  return {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.status === undefined ? {} : { status: changes.status }),
  }
}

async function takeLocks(tx: Tx, caller: Caller, seen: UserRow): Promise<AccountLock | undefined> {
  const lock = seen.account_id === null ? undefined : await lockOpenAccount(tx, seen.account_id)
  if (seen.role === 'admin') await lockInstance(tx)
  await requireLiveToken(tx, caller)
  await lockTokens(tx, seen.id)
  return lock
}

async function revokeAfter(
  tx: Tx,
  caller: Caller,
  user: UserRow,
  password_changed: boolean,
): Promise<void> {
  if (user.status !== 'active') return revokeSessionsOfUser(tx, user.id)
  if (!password_changed) return
  // Whoever changes the own password keeps the session at hand; all others end.
  const kept = isSelf(caller, user) ? caller.principal_id : undefined
  await revokeSessionsOfUser(tx, user.id, kept)
}

async function recount(tx: Tx, before: UserRow, after: UserRow): Promise<void> {
  await changeCounts(tx, [
    { list: 'users', status: before.status, type: '', id: before.id, by: -1 },
    { list: 'users', status: after.status, type: '', id: after.id, by: 1 },
  ])
}
