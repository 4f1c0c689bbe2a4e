// Reads all postings of a range for a journal, with the balances before the range and after it.
// Postings are append-only, so a range can be read in parts without one snapshot around them.

import type { Queryable } from '../postgres/database.ts'
import { type BucketBalances, selectBucketBalances, sumPostings } from './queries.ts'
import type { StatementRange } from './statement-postings.ts'

export type { BucketBalances } from './queries.ts'
export { selectPostings as findPostings } from './queries.ts'

// About 50 ms of the database.
const summed_at_once = 100_000

/** Runs one short read. */
type Read = <Result>(read: (db: Queryable) => Promise<Result>) => Promise<Result>

/** The balances before the first posting of the range. */
export async function sumBefore(range: StatementRange, read: Read): Promise<BucketBalances> {
  const total: BucketBalances = { available: 0, incoming: 0, held: 0, owed: 0 }
  for (let first = 1; first < range.first; first += summed_at_once) {
    const last = Math.min(first + summed_at_once, range.first) - 1
    const part = await read((db) => sumPostings(db, { ...range, first, last }))
    for (const bucket of ['available', 'incoming', 'held', 'owed'] as const) {
      total[bucket] += part[bucket]
    }
  }
  return total
}

/** The stored balances if the range ends with the newest posting, else undefined. */
export async function findBalancesAfter(
  db: Queryable,
  { account_id, last }: StatementRange,
): Promise<BucketBalances | undefined> {
  const found = await selectBucketBalances(db, account_id)
  if (found === undefined || found.posting_sequence !== last) return undefined
  const { posting_sequence, ...balances } = found
  return balances
}
