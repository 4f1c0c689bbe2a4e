// A new email for an account in live mode. It is the owner's log-in, so whoever could set it at
// will would own the account: it is taken over only when somebody at the new address says so. Until
// then the old one stays.

import { queueEmails } from '../email/queue-emails.ts'
import { countEmailChangeRequest } from '../email/recipient-limits.ts'
import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import { toIso } from '../primitives/time.ts'
import { requireFreeEmail } from '../users/add-user.ts'
import { lockUser } from '../users/credentials.ts'
import type { AccountRow } from './account.ts'
import { deleteEmailChange, deleteOldEmailChanges, upsertEmailChange } from './queries.ts'

/** How a new email is taken over: at once in sandbox, by a link under this address in live. */
export type EmailChangePolicy = 'at_once' | { confirmed_under: string }

// Long enough for an email that is found in the morning. In real time, as everything about log-in.
const link_lifetime_ms = 24 * 3_600_000

/** Keeps the wish and writes to both addresses. The account's lock is held. */
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
  writeToBoth(tx, account, { email, expires_at, url: `${public_url}/confirm-email/${token}` })
}

/** What the password was when it was asked: whoever changes it afterwards ends the wish. */
async function passwordFingerprint(tx: Tx, owner_id: string): Promise<Buffer> {
  const owner = await lockUser(tx, owner_id)
  return sha256(owner?.password_hash ?? '')
}

/**
 * Whether its owner may still want it: the password is the same, and nobody has suspended the
 * owner, perhaps because another had the session that asked.
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

// The old address hears of it now, while its owner can still stop it, and again when it happened.
function writeToBoth(
  tx: Tx,
  account: AccountRow,
  wish: { email: string; url: string; expires_at: Date },
): void {
  const { id: account_id, name: account_name, language, timezone } = account
  const from = { account_id, language, timezone }
  const wish_id = newUuid(tx.now.getTime())
  const { url, email: new_email } = wish
  queueEmails(tx, [
    {
      ...from,
      cause: `email_verification ${wish_id}`,
      to: wish.email,
      kind: 'email_verification',
      facts: { account_name, url, expires_at: toIso(wish.expires_at) },
    },
    {
      ...from,
      cause: `email_change_requested ${wish_id}`,
      to: account.email,
      kind: 'email_change_notice',
      facts: { account_name, new_email, confirmed: false },
    },
  ])
}

/** The email that the account has is wanted again: a link to another one is of no use any more. */
export async function cancelEmailChange(tx: Tx, account_id: string): Promise<void> {
  await deleteEmailChange(tx, account_id)
}

// Few wish for a new email, but all of them wait when no worker has run for long.
const changes_at_once = 1_000

export function sweepEmailChanges(db: Db, signal?: AbortSignal): Promise<number> {
  const before = new Date()
  const remove = (limit: number) => deleteOldEmailChanges(db, before, limit)
  return removeInSlices({ limit: changes_at_once, remove, signal })
}

function tooManyEmailChanges(): Refusal {
  return new Refusal(
    'rate_limited',
    'A new email was asked for too often. Use the newest link, or try again in an hour.',
    { retry_after_s: 3_600 },
  )
}
