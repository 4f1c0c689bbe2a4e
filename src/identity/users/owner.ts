// Changes to users when their account is opened, updated or closed. Called by accounts/ and
// closing/, always under the account lock.

import { type Actor, recordAuditEntries } from '../../audit/record-audit-entry.ts'
import { deleteNotificationSettings } from '../../email/notices.ts'
import { appendEvents } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Tx } from '../../postgres/database.ts'
import type { CountChange } from '../../postgres/list-counts.ts'
import type { IdPage } from '../../postgres/page-clause.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { deleteFactorsOfUsers } from '../factors/recovery-codes.ts'
import { deleteIdentitiesOf } from '../oidc/identities.ts'
import { invalidToken } from '../sessions/require-live-token.ts'
import { moveSessionsToAccount, revokeSessionsOfUsers } from '../sessions/revoke-sessions.ts'
import { claimEmail, freesEmail, recordUserChange, unknownUser } from './add-user.ts'
import { changeTime } from './change-time.ts'
import { deleteKnownDevices } from './device-queries.ts'
import {
  deleteEmailClaim,
  deleteUserRows,
  lockUserRow,
  lockUsersOfAccount,
  sendNewEmailClaims,
  sendNewUsers,
  updateUserAccount,
  updateUserEmail,
} from './queries.ts'
import { presentUser, searchText, type UserRow } from './user.ts'

/**
 * Makes a lone user, with all live sessions, the owner of a new account. The email may differ in
 * case; owner and account store the same spelling. The user's sessions must be locked.
 */
export async function makeOwner(
  tx: Tx,
  actor: Actor,
  lock: AccountLock,
  user: { id: string; password_hash: string; email: string },
): Promise<UserRow> {
  const row = await lockUserRow(tx, user.id)
  const same = row?.role === 'lone' && row.password_hash === user.password_hash
  if (!row || !same) throw invalidToken()
  const membership = { account_id: lock.account_id, role: 'owner' as const }
  const updated_at = changeTime(tx, lock, row)
  const after = { ...row, ...membership, email: user.email, updated_at }
  await updateUserAccount(tx, after)
  await moveSessionsToAccount(tx, row.id, membership)
  await recordUserChange(tx, actor, lock, 'user.updated', after, { role: 'owner' })
  return after
}

/** The owner logs in with the account's email address, so both change together. */
export async function changeOwnerEmail(
  tx: Tx,
  actor: Actor,
  lock: AccountLock,
  owner_id: string,
  email: string,
): Promise<void> {
  const row = await lockUserRow(tx, owner_id)
  if (row === undefined) throw unknownUser()
  if (row.email === email) return
  const email_canonical = canonicalEmail(email)
  if (canonicalEmail(row.email) !== email_canonical) {
    await claimEmail(tx, email, owner_id)
    await deleteEmailClaim(tx, canonicalEmail(row.email))
  }
  const after: UserRow = { ...row, email, updated_at: changeTime(tx, lock, row) }
  await updateUserEmail(tx, { ...after, email_canonical, search: searchText(after) })
  await recordUserChange(tx, actor, lock, 'user.updated', after, { email: true })
}

interface RemovedUsers {
  ids: string[]
  /** These users have more sessions than one slice deletes: call the function again. */
  has_more?: boolean
  /** Applied by the caller, because counters are locked last. */
  counts: CountChange[]
}

/** Deletes one page of a closed account's users. A verified owner's email stays claimed forever. */
export async function removeUsersOfAccount(
  tx: Tx,
  actor: Actor,
  lock: AccountLock,
  page: IdPage,
): Promise<RemovedUsers> {
  const rows = await lockUsersOfAccount(tx, lock.account_id, page)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return { ids, counts: [] }
  if (!(await revokeSessionsOfUsers(tx, ids))) return { ids: [], counts: [], has_more: true }
  const freed = rows
    .filter(freesEmail)
    .map(({ id, email }) => ({ user_id: id, canonical: canonicalEmail(email) }))
  await deleteFactorsOfUsers(tx, ids)
  await deleteIdentitiesOf(tx, ids)
  await deleteNotificationSettings(tx, ids)
  await deleteKnownDevices(tx, ids)
  await deleteUserRows(tx, ids, freed)
  recordRemovedUsers(tx, actor, lock, rows)
  const counts = rows.map(({ id, status }): CountChange => {
    return { list: 'users', status, type: '', id, by: -1 }
  })
  return { ids, counts }
}

function recordRemovedUsers(tx: Tx, actor: Actor, lock: AccountLock, rows: UserRow[]): void {
  const type = 'user.deleted'
  const events = rows.map((row) => ({ type, object_id: row.id, data: presentUser(row) }) as const)
  appendEvents(tx, lock, events)
  if (actor.role !== 'admin' && actor.role !== 'platform') return
  const audit_entries = rows.map(
    ({ id, account_id }) => ({ action: type, object_id: id, account_id }) as const,
  )
  recordAuditEntries(
    tx,
    audit_entries.map((audit_entry) => ({ actor, audit_entry })),
  )
}

// Inserts the owners of many new accounts at once, with the claims on their email addresses.
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
