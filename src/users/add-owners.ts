// Many owners of new accounts at once: rows, claims on their emails, and the count of users.

import type { Tx } from '../postgres/database.ts'
import type { CountChange } from '../postgres/list-counts.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { sendNewEmailClaims, sendNewUsers } from './queries.ts'
import { searchText, type UserRow } from './user.ts'

/** The counts are given back, because counters are the last thing that a change locks. */
export function writeOwners(tx: Tx, rows: UserRow[], password_hash: string): CountChange[] {
  const users = rows.map((row) => {
    const email_canonical = canonicalEmail(row.email)
    return { ...row, email_canonical, password_hash, search: searchText(row) }
  })
  // Locked in one order, as everywhere: two changes may want the same emails.
  const claims = users.map(({ id, email_canonical }) => ({ user_id: id, email_canonical }))
  claims.sort((one, other) => (one.email_canonical < other.email_canonical ? -1 : 1))
  sendNewEmailClaims(tx, claims)
  sendNewUsers(tx, users)
  return rows.map(({ id, status }) => ({ list: 'users', status, type: '', id, by: 1 }))
}
