// Describes the logged-in user for the dashboard, with the permissions of the permission table.

import type { Caller, Role } from '../identity/caller.ts'
import { factorDueAt } from '../identity/factors/admin-grace.ts'
import { type Permission, permissions, reachOf } from '../identity/permissions.ts'
import { getUserById } from '../identity/users/get-user.ts'
import type { Db } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface DashboardUser {
  id: string
  email: string
  name: string | null
  role: Role
  account_id: string | null
  session_id: string
  /** When an admin in live mode must have a second factor; null if there is no such time. */
  factor_due_at: string | null
  /** The operations that are not always denied to this role. */
  may: Permission[]
}

export async function describeCaller(
  { db, sandbox }: { db: Db; sandbox: boolean },
  caller: Caller,
): Promise<DashboardUser> {
  const needs_factor = !sandbox && caller.role === 'admin'
  const due_at = needs_factor ? await factorDueAt(db, caller.user_id) : undefined
  const { email, name } = await getUserById(db, caller.user_id)
  return {
    id: toTypeId('user', caller.user_id),
    email,
    name,
    role: caller.role,
    account_id: caller.account_id === null ? null : toTypeId('account', caller.account_id),
    session_id: toTypeId('session', caller.principal_id),
    factor_due_at: due_at === undefined ? null : toIso(due_at),
    may: (Object.keys(permissions) as Permission[]).filter((operation) => {
      const reach = reachOf(caller, operation)
      return reach !== 401 && reach !== 403
    }),
  }
}
