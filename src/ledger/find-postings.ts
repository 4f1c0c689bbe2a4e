// Finds the postings of a transaction's status changes; fees, disputes and debts come later and are
// only on the statement. Postings have no index on transaction_id, because every
// payment would have to update it. Posting times never decrease within an account, so two binary
// searches, by the transaction's creation time and its last update, find them.

import type { Queryable } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { AccountLock } from './lock-row.ts'
import type { StatementPosting } from './queries.ts'
import { selectLastSequenceBefore, selectLedgerState, selectPostingsOf } from './queries.ts'

interface PostingLookup {
  account_id: string
  transaction_id: string
  created_at: Date
  /** When the transaction ended, or a later change. */
  updated_at: Date
  /** The number of postings: one while pending, two once ended. */
  count: number
}

/** Oldest first. */
export async function findPostingsOf(
  db: Queryable,
  lookup: PostingLookup,
): Promise<StatementPosting[]> {
  const created = await rangeAt(db, lookup.account_id, lookup.created_at)
  const updated = await rangeAt(db, lookup.account_id, lookup.updated_at)
  const is_one = created.first === updated.first
  const found = await selectPostingsOf(db, lookup, is_one ? [created] : [created, updated])
  if (found.length >= lookup.count) return found
  // The transaction was updated after it ended: its last posting lies between the two times.
  const whole_range = { first: created.first, last: updated.last }
  const between = await selectPostingsOf(db, lookup, [whole_range])
  if (between.length < lookup.count)
    requireAllPosted((await selectLedgerState(db, lookup.account_id))!)
  return between
}

/** The sequence range of all postings in one millisecond. */
async function rangeAt(db: Queryable, account_id: string, at: Date) {
  const before = await selectLastSequenceBefore(db, account_id, at)
  const last = await selectLastSequenceBefore(db, account_id, new Date(at.getTime() + 1))
  if (before === undefined || last === undefined) throw new Error(`${account_id} has no balance`)
  return { first: before + 1, last }
}

/**
 * While slices of an account's closing still have postings to write, reads of its postings are
 * rejected rather than returning an incomplete list.
 */
export function requireAllPosted(end: Pick<AccountLock, 'status' | 'incoming' | 'held'>): void {
  if (end.status !== 'closed' || end.incoming + end.held === 0) return
  throw new Refusal(
    'unavailable',
    'The account was just closed and its last postings are still being written. ' +
      'Retry in a few seconds.',
    { retry_after_s: 1 },
  )
}
