// Fair queueing across accounts: each round claims a few emails of every account with due emails,
// so an account with thousands does not delay the others. If more accounts are due than fit into
// a round, the next round continues after the last one.

import type { Lease } from '../outbox/lease.ts'
import type { Queryable } from '../postgres/database.ts'
import { nil_uuid } from '../primitives/ids.ts'
import { type AccountWithQueued, claimDue, selectAccountsWithQueued } from './queries.ts'
import type { StoredEmail } from './stored-email.ts'

/** Each worker's position, carried from round to round. */
export interface EmailRotation {
  /** The next round starts after this account. */
  after: string
}

export function newEmailRotation(): EmailRotation {
  return { after: nil_uuid }
}

// Accounts with queued emails that a round scans, due or not. After a mail server outage, many wait
// for a retry, and each costs an index lookup: 500 took 2 ms.
const scanned_max = 500

export async function claimEmails(
  db: Queryable,
  rotation: EmailRotation,
  lease: Lease,
  batch_size: number,
): Promise<StoredEmail[]> {
  const scanned = await scan(db, rotation.after)
  const all_due = scanned.filter(({ is_due }) => is_due).map(({ account_id }) => account_id)
  const due = all_due.slice(0, batch_size)
  rotation.after = nextAfter(scanned, due, all_due.length)
  if (due.length === 0) return []
  const share = Math.floor(batch_size / due.length)
  const emails = await claimDue(db, lease, due, { each: share, all: batch_size })
  const left = batch_size - emails.length
  if (left === 0 || share === batch_size) return emails
  // Some accounts had fewer than their share: fill the batch from the others.
  return [...emails, ...(await claimDue(db, lease, due, { each: left, all: left }))]
}

/** Scans from the account after this one to the last, then wraps around. */
async function scan(db: Queryable, after: string): Promise<AccountWithQueued[]> {
  const ahead = await selectAccountsWithQueued(db, after, scanned_max)
  const left = scanned_max - ahead.length
  if (left === 0 || after === nil_uuid) return ahead
  const around = await selectAccountsWithQueued(db, nil_uuid, left)
  return [...ahead, ...around.filter(({ account_id }) => account_id <= after)]
}

function nextAfter(scanned: AccountWithQueued[], due: string[], due_count: number): string {
  if (due_count > due.length) return due.at(-1)!
  if (scanned.length === scanned_max) return scanned.at(-1)!.account_id
  // Every account had its share. Start after the first one next time, so the rest is shared fairly.
  return due[0] ?? nil_uuid
}
