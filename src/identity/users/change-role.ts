// PATCH /v1/account/users/{user_id}: makes a member read-only, or a read-only member a member. Ends
// the user's sessions, because a session states the role that its tokens act with.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import { appendEvent } from '../../ledger/account-lock.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { getActingAccountId } from '../acting-account.ts'
import { type Caller, isMember } from '../caller.ts'
import { forbidden } from '../permissions.ts'
import { actorOf } from '../sessions/actor.ts'
import { revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { unknownUser } from './add-user.ts'
import { changeTime } from './change-time.ts'
import { findUser, requireUserId } from './get-user.ts'
import { lockForChange } from './lock-for-change.ts'
import { updateUserRole } from './queries.ts'
import { type AccountUser, presentAccountUser, presentUser, type UserRow } from './user.ts'

type MemberRole = 'member' | 'viewer'

export async function changeRole(
  db: Db,
  caller: Caller,
  user_id: string,
  role: MemberRole,
): Promise<AccountUser> {
  const account_id = await getActingAccountId(db, caller)
  for (;;) {
    const seen = await getMember(db, account_id, requireUserId(user_id))
    const changed = await changeOnce(db, caller.idempotency, async (tx) => {
      const row = await change(tx, caller, seen, role)
      return row && presentAccountUser(row)
    })
    if (changed !== undefined) return changed
  }
}

async function getMember(db: Queryable, account_id: string, id: string): Promise<UserRow> {
  const row = await findUser(db, id)
  if (row === undefined || row.account_id !== account_id) throw unknownUser()
  if (!isMember(row.role)) throw ownerStays()
  return row
}

/** Returns undefined if a lock is missing since `seen` was read. The caller retries. */
async function change(
  tx: Tx,
  caller: Caller,
  seen: UserRow,
  role: MemberRole,
): Promise<UserRow | undefined> {
  const { lock, row: before, moved } = await lockForChange(tx, caller, seen)
  if (before === undefined || lock === undefined) throw unknownUser()
  if (moved) return undefined
  if (before.role === role) return before
  const after = { ...before, role, updated_at: changeTime(tx, lock, before) }
  await updateUserRole(tx, after)
  await revokeSessionsOfUser(tx, after.id)
  const { id: object_id, account_id } = after
  await appendEvent(tx, lock, { type: 'user.updated', object_id, data: presentUser(after) })
  await recordAuditEntry(tx, actorOf(caller), {
    action: 'user.role_changed',
    object_id,
    account_id,
    details: { role },
  })
  return after
}

function ownerStays() {
  return forbidden('The role of the owner of an account cannot be changed.')
}
