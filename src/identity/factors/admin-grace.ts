// In live mode an admin needs a second factor. A new admin has seven days to add one, and so have
// the admins of an instance that was upgraded. After that they can do nothing else.

import type { Queryable } from '../../postgres/database.ts'
import { readFactorsSince } from '../../postgres/instance.ts'
import { timeOfUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { listAdmins } from '../users/create-admin.ts'
import { selectHasFactor } from './queries.ts'

const grace_ms = 7 * 24 * 60 * 60_000

/** When this admin must have a second factor; undefined if they have one. */
export async function factorDueAt(db: Queryable, user_id: string): Promise<Date | undefined> {
  if (await selectHasFactor(db, user_id)) return undefined
  const since = await readFactorsSince(db)
  const created_at = timeOfUuid(user_id)
  return new Date(Math.max(since.getTime(), created_at.getTime()) + grace_ms)
}

interface AdminWithoutFactor {
  email: string
  due_at: Date
}

export async function listAdminsWithoutFactor(db: Queryable): Promise<AdminWithoutFactor[]> {
  const admins = await listAdmins(db)
  const due = await Promise.all(admins.map(({ id }) => factorDueAt(db, id)))
  return admins.flatMap(({ email }, at) => (due[at] ? [{ email, due_at: due[at] }] : []))
}

/** For an admin in live mode. Not cached: deleting the last factor is effective at once. */
export async function requireFactorOfAdmin(db: Queryable, caller: Caller): Promise<void> {
  const due_at = await factorDueAt(db, caller.user_id)
  if (due_at === undefined || due_at.getTime() > Date.now()) return
  throw new Refusal(
    'forbidden',
    'In live mode an admin needs a second factor. Add an authenticator app with ' +
      'POST /v1/user/factors/totp or a passkey, or open /dashboard/settings/security.',
  )
}
