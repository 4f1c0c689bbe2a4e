// GET and PATCH /v1/user/notifications: which emails the caller gets about the account.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import {
  findNotificationSettings,
  type NotificationSettings,
  storeNotificationSettings,
} from '../../email/notices.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db } from '../../postgres/database.ts'
import { toTypeId } from '../../primitives/ids.ts'
import type { Caller } from '../caller.ts'
import { actorOf } from '../sessions/actor.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockUser } from './credentials.ts'

export function getNotifications(db: Db, caller: Caller): Promise<NotificationSettings> {
  return findNotificationSettings(db, caller.user_id)
}

/** An omitted setting keeps its value. */
export async function updateNotifications(
  db: Db,
  caller: Caller,
  changes: Partial<NotificationSettings>,
): Promise<NotificationSettings> {
  return changeOnce(db, caller.idempotency, async (tx) => {
    await lockUser(tx, caller.user_id)
    await requireLiveToken(tx, caller)
    const before = await findNotificationSettings(tx, caller.user_id)
    const after = { ...before, ...changes }
    const changed = Object.entries(after).filter(
      ([name, value]) => before[name as keyof NotificationSettings] !== value,
    )
    if (changed.length === 0) return before
    await storeNotificationSettings(tx, caller.user_id, after)
    // An attacker would turn them off first.
    await recordAuditEntry(tx, actorOf(caller), {
      action: 'user.notifications_updated',
      object_id: caller.user_id,
      account_id: caller.account_id,
      details: { user_id: toTypeId('user', caller.user_id), ...Object.fromEntries(changed) },
    })
    return after
  })
}
