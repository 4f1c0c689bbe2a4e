// Writes what a batch decided about money: the accounts' rows and the postings behind them. Sent
// without waiting, together with COMMIT. Nothing else writes money.

import type { Tx } from '../postgres/database.ts'
import type { AccountLock } from './lock-row.ts'
import type { Posting } from './post.ts'
import {
  selectBalancesForUpdate,
  selectBalancesSkipLocked,
  selectExistingAccountIds,
  sendBalances,
  sendManyPostings,
  sendNewBalances,
  sendPostings,
} from './queries.ts'

/** Locks the rows of many accounts, in the one order that everyone keeps. */
export function lockBalances(tx: Tx, account_ids: string[]): Promise<AccountLock[]> {
  return selectBalancesForUpdate(tx, account_ids)
}

/** Those of them that nobody else has. */
export function lockBalancesSkipLocked(tx: Tx, account_ids: string[]): Promise<AccountLock[]> {
  return selectBalancesSkipLocked(tx, account_ids)
}

/** Which of those that were not had are there, and so had by somebody else. */
export async function findLockedElsewhere(tx: Tx, account_ids: string[]): Promise<Set<string>> {
  return new Set(
    (await selectExistingAccountIds(tx, account_ids)).map(({ account_id }) => account_id),
  )
}

export function writeLedger(tx: Tx, locks: AccountLock[], postings: Posting[]): void {
  if (locks.length > 0) sendBalances(tx, locks)
  if (postings.length > 0) sendPostings(tx, postings)
}

/** Books that come with a history: nobody can have seen them, so nobody can have changed them. */
export function writeNewBalances(tx: Tx, locks: AccountLock[]): void {
  if (locks.length > 0) sendNewBalances(tx, locks)
}

/** Thousands at once, of books that are new. */
export function writeManyPostings(tx: Tx, postings: Posting[]): void {
  if (postings.length > 0) sendManyPostings(tx, postings)
}
