// Which emails a round takes: a few of each account that has some due, so that one with thousands
// holds up nobody else's receipt. Where more accounts wait than a round has batch_size, the next round
// goes on behind the last of this one.

import type { Queryable } from '../postgres/database.ts'
import { type AccountWithQueued, claimDue, selectAccountsWithQueued } from './queries.ts'
import type { StoredEmail } from './stored-email.ts'

/** Kept by each worker from round to round. */
export interface EmailRotation {
  /** The account behind which the next round begins. */
  after: string
}

const before_all = '00000000-0000-0000-0000-000000000000'

export function newEmailRotation(): EmailRotation {
  return { after: before_all }
}

// Accounts with emails that a round looks at, due or not. A server that was away leaves many that
// wait for their next try, and each costs a look into the index: so many took 2 ms.
const walked_max = 500

export async function claimEmails(
  db: Queryable,
  rotation: EmailRotation,
  lease: { id: string; for_ms: number },
  batch_size: number,
): Promise<StoredEmail[]> {
  const walked = await walk(db, rotation.after)
  const all_due = walked.filter(({ is_due }) => is_due).map(({ account_id }) => account_id)
  const due = all_due.slice(0, batch_size)
  rotation.after = nextAfter(walked, due, all_due.length)
  if (due.length === 0) return []
  const share = Math.floor(batch_size / due.length)
  const emails = await claimDue(db, lease, due, { each: share, all: batch_size })
  const left = batch_size - emails.length
  if (left === 0 || share === batch_size) return emails
  // Some had less than their share: no place stays empty while others have more.
  return [...emails, ...(await claimDue(db, lease, due, { each: left, all: left }))]
}

/** From the account behind this one to the last, and on from the first. */
async function walk(db: Queryable, after: string): Promise<AccountWithQueued[]> {
  const ahead = await selectAccountsWithQueued(db, after, walked_max)
  const left = walked_max - ahead.length
  if (left === 0 || after === before_all) return ahead
  const around = await selectAccountsWithQueued(db, before_all, left)
  return [...ahead, ...around.filter(({ account_id }) => account_id <= after)]
}

function nextAfter(walked: AccountWithQueued[], due: string[], due_count: number): string {
  if (due_count > due.length) return due.at(-1)!
  if (walked.length === walked_max) return walked.at(-1)!.account_id
  // All had their share. Whoever was first is last the next time, for what is left over.
  return due[0] ?? before_all
}
