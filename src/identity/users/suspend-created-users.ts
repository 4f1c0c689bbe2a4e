// Suspends the users that a revoked platform key created. Their access already ended with the
// revocation; the worker updates their rows and records it, in one transaction per user.

import type { Actor } from '../../audit/record-audit-entry.ts'
import type { Db } from '../../postgres/database.ts'
import { endSuspending, listSuspendingKeys } from '../api-keys/revoke-keys.ts'
import { changeTime } from './change-time.ts'
import { lockWithSessions } from './lock-for-change.ts'
import { selectCreatedUsers } from './queries.ts'
import { saveUser } from './update-user.ts'
import type { UserRow } from './user.ts'

const at_once = 100

/** Returns the number of suspended users. The next run resumes an interrupted one. */
export async function suspendCreatedUsers(db: Db, signal?: AbortSignal): Promise<number> {
  let suspended = 0
  for (const { id, users_suspended_by } of await listSuspendingKeys(db, at_once)) {
    // Only admins revoke platform keys.
    const actor = { role: 'admin', user_id: users_suspended_by, request_id: undefined }
    for (;;) {
      const users = await selectCreatedUsers(db, id, at_once)
      if (users.length === 0) break
      for (const user of users) {
        if (signal?.aborted) return suspended
        if (await suspend(db, actor, user)) suspended += 1
      }
    }
    await endSuspending(db, id)
  }
  return suspended
}

/** Returns false if the user was changed since `seen` was read. The caller selects again. */
function suspend(db: Db, actor: Actor, seen: UserRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { lock, key_locks, row, moved } = await lockWithSessions(tx, seen)
    const is_due = row?.created_by_key_id === seen.created_by_key_id && row?.status !== 'suspended'
    if (!row || moved || !is_due) return false
    const updated_at = changeTime(tx, lock, row)
    const after = { ...row, status: 'suspended' as const, updated_at }
    await saveUser(tx, actor, { lock, key_locks }, row, after)
    return true
  })
}
