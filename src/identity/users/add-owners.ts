// Inserts the owners of many new accounts at once, with the claims on their email addresses.

import type { Tx } from '../../postgres/database.ts'
import type { CountChange } from '../../postgres/list-counts.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { sendNewEmailClaims, sendNewUsers } from './queries.ts'
import { searchText, type UserRow } from './user.ts'

/** Returns the changes of counters, because counters are locked last. */
export function writeOwners(tx: Tx, rows: UserRow[], password_hash: string): CountChange[] {
  const users = rows.map((row) => {
    const email_canonical = canonicalEmail(row.email)
    return { ...row, email_canonical, password_hash, search: searchText(row) }
  })
  // Sorted: two concurrent changes that claim the same addresses would otherwise deadlock.
  const claims = users.map(({ id, email_canonical }) => ({ user_id: id, email_canonical }))
  claims.sort((one, other) => (one.email_canonical < other.email_canonical ? -1 : 1))
  sendNewEmailClaims(tx, claims)
  sendNewUsers(tx, users)
  return rows.map(({ id, status }) => ({ list: 'users', status, type: '', id, by: 1 }))
}
