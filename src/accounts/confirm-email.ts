// The confirmation link for a new email address. Opening it changes nothing; confirming changes the
// email of the account and its owner together.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { queueEmails } from '../email/outbox.ts'
import { anonymous } from '../identity/sessions/actor.ts'
import { changeOwnerEmail } from '../identity/users/owner.ts'
import { appendEvent, lockAccountIfExists, timeUnderLock } from '../ledger/account-lock.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import { type AccountRow, presentAccount } from './account.ts'
import { isEmailChangeValid } from './email-change.ts'
import {
  deleteEmailChange,
  selectAccounts,
  selectEmailChange,
  updateAccountRow,
} from './queries.ts'

interface PendingEmailChange {
  account_name: string
  email: string
  /** The language of the account, as in the email with the link. */
  language: string
}

/** The change that the link would confirm, or undefined if the link is invalid. */
export async function findPendingEmailChange(
  db: Db,
  token: string,
): Promise<PendingEmailChange | undefined> {
  const change = await selectEmailChange(db, sha256(token), new Date())
  if (change === undefined) return undefined
  const account = await findAccount(db, change.account_id)
  return account && pendingEmailChange(account, change.email)
}

/** Throws not_found for an invalid link, and email_exists if the address is in use by now. */
export async function confirmEmail(
  db: Db,
  request_id: string,
  token: string,
): Promise<PendingEmailChange> {
  return db.transaction(async (tx) => {
    const seen = await selectEmailChange(tx, sha256(token), new Date())
    if (seen === undefined) throw invalidLink()
    const lock = await lockAccountIfExists(tx, seen.account_id)
    // Read again under the lock: the second of two concurrent confirmations fails.
    const change = await selectEmailChange(tx, sha256(token), new Date())
    const before = await findAccount(tx, seen.account_id)
    if (!change || !lock || !before || lock.status === 'closed') throw invalidLink()
    if (!(await isEmailChangeValid(tx, before.owner_id, change.password_fingerprint)))
      throw invalidLink()
    const actor = anonymous(request_id)
    await changeOwnerEmail(tx, actor, lock, before.owner_id, change.email)
    const after = { ...before, email: change.email, updated_at: timeUnderLock(tx, lock) }
    await updateAccountRow(tx, after)
    const event = { object_id: after.id, data: presentAccount(after) }
    await appendEvent(tx, lock, { type: 'account.updated', ...event })
    const audit_entry = {
      object_id: after.id,
      account_id: after.id,
      details: { email: after.email },
    }
    await recordAuditEntry(tx, actor, { action: 'account.email_confirmed', ...audit_entry })
    await deleteEmailChange(tx, after.id)
    notifyOldAddress(tx, before, change.email)
    return pendingEmailChange(after, after.email)
  })
}

function pendingEmailChange({ name, language }: AccountRow, email: string): PendingEmailChange {
  return { account_name: name, email, language }
}

async function findAccount(db: Queryable, id: string): Promise<AccountRow | undefined> {
  const [account] = await selectAccounts(db, [id])
  return account?.status === 'closed' ? undefined : account
}

function notifyOldAddress(tx: Tx, account: AccountRow, new_email: string): void {
  queueEmails(tx, [
    {
      cause: `email_change_confirmed ${newUuid(tx.now.getTime())}`,
      account_id: account.id,
      to: account.email,
      language: account.language,
      timezone: account.timezone,
      kind: 'email_change_notice',
      facts: { account_name: account.name, new_email, confirmed: true },
    },
  ])
}

function invalidLink(): Refusal {
  return new Refusal('not_found', 'This link is invalid, expired or already used.')
}
