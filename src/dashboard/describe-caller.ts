// Who is signed in, as the page needs it: what it may show is read from the same table that
// decides what is allowed.

import type { Db } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import type { Caller, Role } from '../sessions/caller.ts'
import { type Permission, permissions, reachOf } from '../sessions/permissions.ts'
import { getUserById } from '../users/get-user.ts'

export interface DashboardUser {
  id: string
  email: string
  name: string | null
  role: Role
  account_id: string | null
  session_id: string
  /** The operations that this role may ever do, of its own account or of one that it names. */
  may: Permission[]
}

export async function describeCaller(db: Db, caller: Caller): Promise<DashboardUser> {
  const { email, name } = await getUserById(db, caller.user_id)
  return {
    id: toTypeId('user', caller.user_id),
    email,
    name,
    role: caller.role,
    account_id: caller.account_id === null ? null : toTypeId('account', caller.account_id),
    session_id: toTypeId('session', caller.principal_id),
    may: (Object.keys(permissions) as Permission[]).filter((operation) => {
      const reach = reachOf(caller, operation)
      return reach !== 401 && reach !== 403
    }),
  }
}
