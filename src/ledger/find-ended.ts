// Which of some failed or canceled transactions ended after a point in time. Postings are found by
// their number: the time is looked for by halving, and what follows it is a range of the key.

import type { Queryable } from '../postgres/database.ts'
import { selectLastSequenceBefore, selectReturnedAfter } from './queries.ts'

export async function findEndedSince(
  db: Queryable,
  account_id: string,
  since: Date,
  transactions: { id: string }[],
): Promise<Set<string>> {
  if (transactions.length === 0) return new Set()
  const before = await selectLastSequenceBefore(db, account_id, since)
  if (before === undefined) throw new Error(`${account_id} has no books`)
  const ids = transactions.map(({ id }) => id)
  const returned = await selectReturnedAfter(db, account_id, before, ids)
  return new Set(returned.map(({ transaction_id }) => transaction_id))
}
