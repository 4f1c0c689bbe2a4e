// What opening, updating and closing an account does to its people. Called by accounts/ and
// closing/, always under the account's lock.

import type { Actor } from '../audit/record-deed.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { type CountChange, changeCounts } from '../postgres/list-counts.ts'
import { canonicalEmail } from '../primitives/email.ts'
import { deadToken } from '../sessions/require-live-token.ts'
import { moveSessionsToAccount } from '../sessions/revoke-sessions.ts'
import { claimEmail, tellAboutUser, unknownUser } from './add-user.ts'
import { changeTime } from './change-time.ts'
import { removeUser } from './delete-user.ts'
import {
  deleteEmailClaim,
  lockUserRow,
  lockUsersOfAccount,
  updateUserEmail,
  updateUserPlace,
} from './queries.ts'
import { searchText, type UserRow } from './user.ts'

/**
 * A lone user becomes the owner of a new account, and every live session with them. The email may
 * be given in another case: owner and account keep the same one. The user's sessions are locked.
 */
export async function makeOwner(
  tx: Tx,
  actor: Actor,
  lock: AccountLock,
  user: { id: string; password_hash: string; email: string },
): Promise<UserRow> {
  const row = await lockUserRow(tx, user.id)
  const same = row?.role === 'lone' && row.password_hash === user.password_hash
  if (!row || !same) throw deadToken()
  const place = { account_id: lock.account_id, role: 'owner' as const }
  const updated_at = changeTime(tx, lock, row)
  const after = { ...row, ...place, email: user.email, updated_at }
  await updateUserPlace(tx, after)
  await moveSessionsToAccount(tx, row.id, place)
  await tellAboutUser(tx, actor, lock, 'user.updated', after, { role: 'owner' })
  return after
}

/** The account's email is its owner's log-in: the two change together. */
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
  await tellAboutUser(tx, actor, lock, 'user.updated', after, { email: true })
}

/** Members' emails are free at once; the owner's is the account's, and stays taken. */
export async function removeUsersOfAccount(tx: Tx, actor: Actor, lock: AccountLock): Promise<void> {
  const counts: CountChange[] = []
  for (const row of await lockUsersOfAccount(tx, lock.account_id)) {
    const email = row.role === 'owner' ? 'keep_email' : 'free_email'
    counts.push(await removeUser(tx, actor, lock, row, email))
  }
  await changeCounts(tx, counts)
}
