// Writes balances and postings: the only module that moves money. The statements are sent together
// with COMMIT.

import type { Tx } from '../postgres/database.ts'
import { type AccountLock, noteBalances } from './lock-row.ts'
import type { Posting } from './post.ts'
import {
  selectBalancesForUpdate,
  selectBalancesSkipLocked,
  selectExistingAccountIds,
  sendBalances,
  sendNewBalances,
  sendPostings,
} from './queries.ts'

/** Locks the balance rows of several accounts, in the common lock order. */
export async function lockBalances(tx: Tx, account_ids: string[]): Promise<AccountLock[]> {
  return noteBalances(tx, await selectBalancesForUpdate(tx, account_ids))
}

/** Locks those of the accounts that no other transaction has locked. */
export async function lockBalancesSkipLocked(
  tx: Tx,
  account_ids: string[],
): Promise<AccountLock[]> {
  return noteBalances(tx, await selectBalancesSkipLocked(tx, account_ids))
}

/** Which of the accounts that were skipped exist, and so are locked by another transaction. */
export async function findLockedElsewhere(tx: Tx, account_ids: string[]): Promise<Set<string>> {
  return new Set(
    (await selectExistingAccountIds(tx, account_ids)).map(({ account_id }) => account_id),
  )
}

export function writeLedger(tx: Tx, locks: AccountLock[], postings: Posting[]): void {
  if (locks.length > 0) sendBalances(tx, locks)
  if (postings.length > 0) sendPostings(tx, postings)
}

/** Inserts balance rows of new accounts. No other transaction sees them, so they need no lock. */
export function writeNewBalances(tx: Tx, locks: AccountLock[]): void {
  if (locks.length > 0) sendNewBalances(tx, locks)
  noteBalances(tx, locks)
}
