// A user as a row and as an API object. The password hash never leaves this folder.

import { timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { foldForSearch } from '../../primitives/text.ts'
import { toIso } from '../../primitives/time.ts'
import type { Role } from '../caller.ts'

export type UserStatus = 'active' | 'suspended' | 'pending'

export interface UserRow {
  id: string
  account_id: string | null
  role: Role
  status: UserStatus
  email: string
  name: string | null
  updated_at: Date
  /** The API key that created the user: its revocation suspends the user. */
  created_by_key_id: string | null
}

export interface User {
  id: string
  email: string
  name: string | null
  status: UserStatus
  created_at: string
  updated_at: string
}

export function presentUser(row: UserRow): User {
  return {
    id: toTypeId('user', row.id),
    email: row.email,
    name: row.name,
    status: row.status,
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

/** A user as a member of the team of an account. */
export interface AccountUser extends User {
  role: Role
}

export function presentAccountUser(row: UserRow): AccountUser {
  return { ...presentUser(row), role: row.role }
}

/** The text that `search` matches: name and email on separate lines, so no match spans both. */
export function searchText(user: { name: string | null; email: string }): string {
  return foldForSearch(`${user.name ?? ''}\n${user.email}`)
}
