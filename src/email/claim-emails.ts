// Fair queueing across accounts: each round claims a few emails of every account with due emails,
// so an account with thousands does not delay the others. If more accounts are due than fit into
// a round, the next round continues after the last one.

import type { Lease } from '../outbox/lease.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { accountsOf } from '../postgres/sql-rows.ts'
import { nil_uuid } from '../primitives/ids.ts'
import { claimDue, isAnyDue, type QueuedEmail, selectQueued } from './queries.ts'
import type { StoredEmail } from './stored-email.ts'

/** Each worker's position, carried from round to round. */
export interface EmailRotation {
  /** The next round starts after this account. */
  after: string
}

export function newEmailRotation(): EmailRotation {
  return { after: nil_uuid }
}

// Queued emails that one statement of a round reads, due or not: 500 took 2 ms. After a page that
// ends within an account, the scan continues with the next account, so an account with thousands
// costs one page. After a mail server outage many accounts wait: the next round scans the rest.
const page_rows = 500
const pages_max = 10

export async function claimEmails(
  db: Db,
  rotation: EmailRotation,
  lease: Lease,
  batch_size: number,
): Promise<StoredEmail[]> {
  // Usually nothing is due.
  if (!(await isAnyDue(db))) return []
  const scanned = await scan(db, rotation.after)
  const all_due = scanned.accounts.filter(({ is_due }) => is_due)
  const due = all_due.slice(0, batch_size)
  rotation.after = nextAfter(scanned, due, all_due.length)
  if (due.length === 0) return []
  const share = Math.floor(batch_size / due.length)
  const emails = await claimInShards(db, lease, due, { each: share, all: batch_size })
  const left = batch_size - emails.length
  if (left === 0 || share === batch_size) return emails
  // Some accounts had fewer than their share: fill the batch from the others.
  return [...emails, ...(await claimInShards(db, lease, due, { each: left, all: left }))]
}

interface ScannedAccounts {
  /** Each with whether one of its emails is due. */
  accounts: QueuedEmail[]
  /** Whether all accounts with queued emails were scanned. */
  is_complete: boolean
}

/** Scans from the account after this one to the last, then wraps around. */
async function scan(db: Queryable, start: string): Promise<ScannedAccounts> {
  const accounts = new Map<string, QueuedEmail>()
  let after = start
  let has_wrapped = start === nil_uuid
  for (let page = 0; page < pages_max; page++) {
    const rows = await selectQueued(db, after, page_rows)
    for (const row of rows) {
      // The first email of an account is the first to be sent.
      if (!accounts.has(row.account_id)) accounts.set(row.account_id, row)
    }
    const last = rows.at(-1)?.account_id
    const is_end = rows.length < page_rows || (start !== nil_uuid && has_wrapped && last! > start)
    if (is_end && has_wrapped) return { accounts: [...accounts.values()], is_complete: true }
    if (is_end) has_wrapped = true
    after = is_end ? nil_uuid : last!
  }
  return { accounts: [...accounts.values()], is_complete: false }
}

function nextAfter(
  { accounts, is_complete }: ScannedAccounts,
  due: QueuedEmail[],
  due_count: number,
): string {
  if (due_count > due.length) return due.at(-1)!.account_id
  if (!is_complete) return accounts.at(-1)!.account_id
  // Every account had its share. Start after the first one next time, so the rest is shared fairly.
  return due[0]?.account_id ?? nil_uuid
}

/** One statement per shard: Citus locks rows of one shard at a time. */
async function claimInShards(
  db: Db,
  lease: Lease,
  accounts: QueuedEmail[],
  { each, all }: { each: number; all: number },
): Promise<StoredEmail[]> {
  const emails: StoredEmail[] = []
  for (const part of db.shards.split(accounts)) {
    const left = all - emails.length
    if (left > 0) emails.push(...(await claimDue(db, lease, accountsOf(part), { each, all: left })))
  }
  return emails
}
