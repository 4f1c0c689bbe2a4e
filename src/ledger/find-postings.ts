// The postings of one transaction. They have no index but their number, because every payment would
// have to write to it. A transaction knows when it was made and when it last changed, times never
// run back within an account, and so two small searches by time find what it moved.

import type { Queryable } from '../postgres/database.ts'
import type { StatementPosting } from './queries.ts'
import { selectLastSequenceBefore, selectLedgerState, selectPostingsOf } from './queries.ts'
import { requireAllPosted } from './require-all-posted.ts'

export interface PostingLookup {
  account_id: string
  transaction_id: string
  created_at: Date
  /** When it ended, or was changed after that. */
  updated_at: Date
  /** How many there are: one while it is pending, and one more when it has ended. */
  count: number
}

/** Oldest first. */
export async function findPostingsOf(
  db: Queryable,
  lookup: PostingLookup,
): Promise<StatementPosting[]> {
  const made = await rangeAt(db, lookup.account_id, lookup.created_at)
  const changed = await rangeAt(db, lookup.account_id, lookup.updated_at)
  const is_one = made.first === changed.first
  const found = await selectPostingsOf(db, lookup, is_one ? [made] : [made, changed])
  if (found.length >= lookup.count) return found
  // It was changed after it had ended: the end lies somewhere between the two.
  const between = await selectPostingsOf(db, lookup, [{ first: made.first, last: changed.last }])
  if (between.length < lookup.count)
    requireAllPosted((await selectLedgerState(db, lookup.account_id))!)
  return between
}

/** The numbers of all postings of one millisecond. */
async function rangeAt(db: Queryable, account_id: string, at: Date) {
  const before = await selectLastSequenceBefore(db, account_id, at)
  const last = await selectLastSequenceBefore(db, account_id, new Date(at.getTime() + 1))
  if (before === undefined || last === undefined) throw new Error(`${account_id} has no books`)
  return { first: before + 1, last }
}
