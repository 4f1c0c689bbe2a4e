// The link in the email to a new address: looking at it changes nothing, confirming takes the
// email over for account and owner together.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { queueEmails } from '../email/queue-emails.ts'
import { appendEvent, findAccountLock, timeUnderLock } from '../ledger/account-lock.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import { anonymous } from '../sessions/actor.ts'
import { changeOwnerEmail } from '../users/owner.ts'
import { type AccountRow, presentAccount } from './account.ts'
import { isEmailChangeValid } from './email-change.ts'
import {
  deleteEmailChange,
  selectAccounts,
  selectEmailChange,
  updateAccountRow,
} from './queries.ts'

export interface PendingEmailChange {
  account_name: string
  email: string
  /** The account's, as in the email that the link is from. */
  language: string
}

/** What the link would do, or undefined when it does nothing any more. */
export async function findPendingEmailChange(
  db: Db,
  token: string,
): Promise<PendingEmailChange | undefined> {
  const change = await selectEmailChange(db, sha256(token), new Date())
  if (change === undefined) return undefined
  const account = await findAccount(db, change.account_id)
  return account && pendingEmailChange(account, change.email)
}

/** Refuses with not_found for a dead link, with email_exists when somebody was faster. */
export async function confirmEmail(
  db: Db,
  request_id: string,
  token: string,
): Promise<PendingEmailChange> {
  return db.transaction(async (tx) => {
    const seen = await selectEmailChange(tx, sha256(token), new Date())
    if (seen === undefined) throw invalidLink()
    const lock = await findAccountLock(tx, seen.account_id)
    // Looked at again under the lock: of two who confirm at once, the second finds it used.
    const change = await selectEmailChange(tx, sha256(token), new Date())
    const before = await findAccount(tx, seen.account_id)
    if (!change || !lock || !before || lock.status === 'closed') throw invalidLink()
    if (!(await isEmailChangeValid(tx, before.owner_id, change.password_fingerprint)))
      throw invalidLink()
    const actor = anonymous(request_id)
    await changeOwnerEmail(tx, actor, lock, before.owner_id, change.email)
    const after = { ...before, email: change.email, updated_at: timeUnderLock(tx, lock) }
    await updateAccountRow(tx, after)
    const place = { object_id: after.id, data: presentAccount(after) }
    await appendEvent(tx, lock, { type: 'account.updated', ...place })
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
  return new Refusal('not_found', 'This link has been used, has run out, or never existed.')
}
