// What an account's request log may show of an operation. All users of the account read that
// log, so it must not contain anything that one of them may not request. Derived from the
// permission table, so that a new row cannot be forgotten here.

import type { Role } from '../identity/caller.ts'
import { type Permission, permissions } from '../identity/permissions.ts'
import { isAccountScoped } from './mark-operation.ts'

export interface LogPolicy {
  /** Whether requests by admins and platforms that name the account are logged. */
  logs_service_callers: boolean
  /** Whether request and response bodies may be stored, in addition to the request line. */
  bodies: boolean
}

export function logPolicyOf(operation: Permission): LogPolicy {
  return logged[operation]
}

type Row = (typeof permissions)[Permission]

const { scope: _, ...cells } = permissions.read_request_logs
const roles = Object.keys(cells) as Role[]

// Admins and platforms also read the log through the header, and may see more than any of these.
const readers = roles.filter((role) => cells[role] === 'account')

// Computed once, because every request needs it.
const logged = Object.fromEntries(
  Object.keys(permissions).map((name) => [name, logPolicyFor(name as Permission)]),
) as Record<Permission, LogPolicy>

function logPolicyFor(operation: Permission): LogPolicy {
  const row: Row = permissions[operation]
  return {
    logs_service_callers: isAccountScoped(operation) && !isForAdmins(row),
    // A role that reaches less than the account, such as only its own user, must not see the
    // bodies. Key scopes are ignored: granting a key access to the log grants access to its
    // content.
    bodies: row.scope !== 'never' && readers.every((role) => row[role] === 'account'),
  }
}

function isForAdmins(row: Row): boolean {
  return roles.every((role) => role === 'admin' || row[role] === 401 || row[role] === 403)
}
