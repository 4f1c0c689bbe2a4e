// What an account's request log may show of a call. Everybody of the account reads that log, so it
// tells nothing that one of them may not ask for: worked out from the permission table, so that a
// new row cannot be forgotten here.

import type { Role } from '../sessions/caller.ts'
import { type Permission, permissions } from '../sessions/permissions.ts'
import { isAccountScoped } from './mark-operation.ts'

export interface LogPolicy {
  /** Whether it is noted when those who run the service ask, naming the account. */
  logs_service_callers: boolean
  /** Whether what was sent and answered may be kept, and not only that it was asked. */
  bodies: boolean
}

export function logPolicyOf(operation: Permission): LogPolicy {
  return logged[operation]
}

type Row = (typeof permissions)[Permission]

const { scope: _, ...cells } = permissions.read_request_logs
const roles = Object.keys(cells) as Role[]

// Whoever runs the service reads it too, by the header, and may ask for more than any of these.
const readers = roles.filter((role) => cells[role] === 'account')

// Every request asks, so it is worked out once.
const logged = Object.fromEntries(
  Object.keys(permissions).map((name) => [name, logPolicyFor(name as Permission)]),
) as Record<Permission, LogPolicy>

function logPolicyFor(operation: Permission): LogPolicy {
  const row: Row = permissions[operation]
  return {
    logs_service_callers: isAccountScoped(operation) && !isForAdmins(row),
    // A reach of less than the account, such as the own user, is not all that others are told. A
    // key's scopes are not looked at: who gives it this log's gives it what the log holds.
    bodies: row.scope !== 'never' && readers.every((role) => row[role] === 'account'),
  }
}

function isForAdmins(row: Row): boolean {
  return roles.every((role) => role === 'admin' || row[role] === 401 || row[role] === 403)
}
