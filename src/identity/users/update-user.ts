// PATCH /v1/users/{user_id}: name, status, password. A new password, or a status other than active,
// revokes the user's sessions in the same database transaction. Such a status also revokes the API
// keys that the user created.

import type { Actor } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { changeCounts } from '../../postgres/list-counts.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { revokeKeysOfCreator } from '../api-keys/revoke-keys.ts'
import type { Caller } from '../caller.ts'
import { deleteLinks } from '../one-time-links/link.ts'
import { lacksPermission } from '../permissions.ts'
import { actorOf } from '../sessions/actor.ts'
import {
  detachSessionsFromKey,
  isRevokedCreator,
  revokeSessionsOfUser,
} from '../sessions/revoke-sessions.ts'
import { recordUserChange, unknownUser } from './add-user.ts'
import { changeTime } from './change-time.ts'
import { getVisibleUser } from './get-user.ts'
import { type LockedUser, lockForChange } from './lock-for-change.ts'
import { type HashingClient, hashPassword } from './password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from './password-policy.ts'
import { updateUserRow } from './queries.ts'
import { presentUser, searchText, type User, type UserRow, type UserStatus } from './user.ts'
import { isSelf, isWithinReach } from './user-access.ts'

interface UserChanges {
  name?: string | null
  status?: UserStatus
  password?: string
  /** The caller's password hash, if the request confirmed it with the password. */
  current_hash?: string | undefined
}

export async function updateUser(
  db: Db,
  caller: Caller,
  user_id: string,
  changes: UserChanges,
  policy: PasswordPolicy,
  client: HashingClient,
): Promise<User> {
  if (changes.password !== undefined) requireAcceptablePassword(changes.password, policy)
  let password_hash: string | undefined
  for (;;) {
    const seen = await getVisibleUser(db, caller, user_id)
    requireAllowed(caller, seen, changes)
    // Checked again now that the email is known: a password must not be equal to it.
    if (changes.password !== undefined)
      requireAcceptablePassword(changes.password, policy, seen.email)
    if (changes.password !== undefined) {
      password_hash ??= await hashPassword(changes.password, client)
    }
    const user = await changeOnce(db, caller.idempotency, async (tx) => {
      const row = await change(tx, caller, seen, changes, password_hash)
      return row && presentUser(row)
    })
    if (user !== undefined) return user
  }
}

function requireAllowed(caller: Caller, user: UserRow, changes: UserChanges): void {
  if (!isWithinReach(caller, 'update_user', user)) throw lacksPermission(caller, 'update_user')
  if (changes.status === undefined) return
  const own_status = caller.role === 'admin' && isSelf(caller, user)
  if (own_status || !isWithinReach(caller, 'update_user_status', user)) {
    throw lacksPermission(caller, 'update_user_status')
  }
}

/** Returns undefined if the user opened an account after `seen` was read. The caller retries. */
async function change(
  tx: Tx,
  caller: Caller,
  seen: UserRow,
  changes: UserChanges,
  password_hash: string | undefined,
): Promise<UserRow | undefined> {
  const { lock, key_locks, row: before, moved } = await lockForChange(tx, caller, seen)
  if (before === undefined) throw unknownUser()
  if (moved) return undefined
  requireAllowed(caller, before, changes)
  const { current_hash = before.password_hash } = changes
  // The password was changed since it was verified.
  if (isSelf(caller, before) && before.password_hash !== current_hash) throw wrongCurrentPassword()
  const after = { ...before, ...given(changes) }
  // An explicitly activated user no longer depends on the API key that created it.
  const detached = changes.status === 'active' && before.created_by_key_id !== null
  if (detached) await detachFromKey(tx, after)
  const same = after.name === before.name && after.status === before.status
  if (same && !detached && password_hash === undefined) return before
  after.updated_at = changeTime(tx, lock, before)
  after.password_hash = password_hash ?? before.password_hash
  // A user who changes their password keeps the current session; all others are revoked.
  const surviving_session_id = isSelf(caller, before) ? caller.principal_id : undefined
  await saveUser(tx, actorOf(caller), { lock, key_locks }, before, after, surviving_session_id)
  return after
}

export function wrongCurrentPassword(): Refusal {
  return new Refusal(
    'invalid_request',
    '"current_password" must be your current password. Check it, or reset the password.',
  )
}

function given(changes: UserChanges): Partial<UserRow> {
  return {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.status === undefined ? {} : { status: changes.status }),
  }
}

async function detachFromKey(tx: Tx, user: UserRow): Promise<void> {
  if (await isRevokedCreator(tx, user.created_by_key_id!)) await revokeSessionsOfUser(tx, user.id)
  else await detachSessionsFromKey(tx, user.id)
  user.created_by_key_id = null
}

type UserWithHash = UserRow & { password_hash: string }

/** Updates the row, revokes sessions and keys as needed, and records the change. */
export async function saveUser(
  tx: Tx,
  actor: Actor,
  { lock, key_locks }: Pick<LockedUser, 'lock' | 'key_locks'>,
  before: UserWithHash,
  after: UserWithHash,
  surviving_session_id?: string,
): Promise<void> {
  const password = after.password_hash !== before.password_hash
  await updateUserRow(tx, { ...after, search: searchText(after) })
  if (after.status !== 'active') {
    await revokeSessionsOfUser(tx, after.id)
    await revokeKeysOfCreator(tx, actor, after.id, key_locks)
  } else if (password) await revokeSessionsOfUser(tx, after.id, surviving_session_id)
  const has_new_status = after.status !== before.status
  const name = after.name !== before.name
  const details = { name, status: has_new_status ? after.status : false, password }
  await recordUserChange(tx, actor, lock, 'user.updated', after, details)
  if (!has_new_status) return
  // A link that was sent before must not undo the new status.
  await deleteLinks(tx, after.id)
  await recount(tx, before, after)
}

async function recount(tx: Tx, before: UserRow, after: UserRow): Promise<void> {
  await changeCounts(tx, [
    { list: 'users', status: before.status, type: '', id: before.id, by: -1 },
    { list: 'users', status: after.status, type: '', id: after.id, by: 1 },
  ])
}
