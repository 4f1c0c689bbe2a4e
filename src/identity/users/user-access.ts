// Whether a permission of a caller extends to one user: pure functions over the permission table.

import { type Caller, isMember } from '../caller.ts'
import { type Permission, reachOf } from '../permissions.ts'
import type { UserRow } from './user.ts'

export function isWithinReach(caller: Caller, operation: Permission, user: UserRow): boolean {
  // A Florin-Account header limits the request to users of that account.
  const named = caller.header_account_id
  if (named !== undefined && named !== user.account_id) return false
  switch (reachOf(caller, operation)) {
    case 'any':
      return true
    case 'account':
      return isSelf(caller, user) || sharesAccount(caller, user)
    case 'members':
      return sharesAccount(caller, user) && isMember(user.role)
    case 'self':
      return isSelf(caller, user)
    default:
      return false
  }
}

export function isSelf(caller: Caller, user: UserRow): boolean {
  return caller.user_id === user.id
}

function sharesAccount(caller: Caller, user: UserRow): boolean {
  return caller.account_id !== null && caller.account_id === user.account_id
}
