// Changes the email address of an account in live mode. The owner logs in with it, so the change
// takes effect only after it is confirmed with a link that is sent to the new address.

import { queueEmails } from '../email/outbox.ts'
import { countEmailChangeRequest } from '../email/recipient-limits.ts'
import { requireFreeEmail } from '../identity/users/add-user.ts'
import { lockUser } from '../identity/users/credentials.ts'
import type { Tx } from '../postgres/database.ts'
import { type Sweep, sweepRows } from '../postgres/sweep.ts'
import { newUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import { toIso } from '../primitives/time.ts'
import type { AccountRow } from './account.ts'
import { deleteEmailChange, old_email_changes, upsertEmailChange } from './queries.ts'

/** A new email takes effect at once in sandbox, and by a link under this URL in live mode. */
export type EmailChangePolicy = 'at_once' | { confirmed_under: string }

// Long enough for an email that is read the next morning. In real time, like sessions.
const link_lifetime_ms = 24 * 3_600_000

/** Stores the request and sends an email to both addresses. Requires the account lock. */
export async function requestEmailChange(
  tx: Tx,
  account: AccountRow,
  email: string,
  public_url: string,
): Promise<void> {
  await requireFreeEmail(tx, email)
  if (!(await countEmailChangeRequest(tx, account.id))) throw tooManyEmailChanges()
  const token = newSecret('')
  const expires_at = new Date(Date.now() + link_lifetime_ms)
  await upsertEmailChange(tx, {
    account_id: account.id,
    email,
    token_hash: sha256(token),
    password_fingerprint: await passwordFingerprint(tx, account.owner_id),
    expires_at,
  })
  notifyBothAddresses(tx, account, {
    email,
    expires_at,
    url: `${public_url}/confirm-email/${token}`,
  })
}

/** Identifies the current password: changing the password cancels the request. */
async function passwordFingerprint(tx: Tx, owner_id: string): Promise<Buffer> {
  const owner = await lockUser(tx, owner_id)
  return sha256(owner?.password_hash ?? '')
}

/**
 * Invalid if the password was changed or the owner was suspended, perhaps because the session that
 * requested the change was stolen.
 */
export async function isEmailChangeValid(
  tx: Tx,
  owner_id: string,
  password_fingerprint: Buffer,
): Promise<boolean> {
  const owner = await lockUser(tx, owner_id)
  if (owner?.status !== 'active') return false
  return sha256(owner.password_hash).equals(password_fingerprint)
}

// The old address is notified now, while the owner can still prevent the change, and again after
// it.
function notifyBothAddresses(
  tx: Tx,
  account: AccountRow,
  change: { email: string; url: string; expires_at: Date },
): void {
  const { id: account_id, name: account_name, language, timezone } = account
  const from = { account_id, language, timezone }
  const change_id = newUuid(tx.now.getTime())
  const { url, email: new_email } = change
  queueEmails(tx, [
    {
      ...from,
      cause: `email_verification ${change_id}`,
      to: change.email,
      kind: 'email_verification',
      facts: { account_name, url, expires_at: toIso(change.expires_at) },
    },
    {
      ...from,
      cause: `email_change_requested ${change_id}`,
      to: account.email,
      kind: 'email_change_notice',
      facts: { account_name, new_email, confirmed: false },
    },
  ])
}

/** Invalidates a link that was sent before, because the account keeps its current email. */
export async function cancelEmailChange(tx: Tx, account_id: string): Promise<void> {
  await deleteEmailChange(tx, account_id)
}

export const sweepEmailChanges: Sweep = (db, signal) => sweepRows(db, [old_email_changes], signal)

function tooManyEmailChanges(): Refusal {
  return new Refusal(
    'rate_limited',
    'Too many email changes were requested. Use the newest link, or try again in an hour.',
    { retry_after_s: 3_600 },
  )
}
