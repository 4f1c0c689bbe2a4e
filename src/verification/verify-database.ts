// florin verify: everything that must agree with everything else, over the whole database, while it
// is in use. Accounts are taken a few at a time, each few in one snapshot: every change of an
// account is one database transaction, so within a snapshot an account is never half-way, and what
// changes before or after it does not matter. Nothing is locked, and only the few are in memory.

import { countAccountsByKind, verifyAccounts } from '../accounts/verify-accounts.ts'
import { verifyEvents } from '../events/verify-events.ts'
import { listClosings } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { countPostings, listLocks, verifyLedger } from '../ledger/verify-ledger.ts'
import { verifyLinks, verifyPayments } from '../payments/verify-payments.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { listStoredCounts, type StoredCount } from '../postgres/list-counts.ts'
import { inSnapshot } from '../postgres/snapshot.ts'
import { type AccountRange, type Difference, max_uuid, nil_uuid } from '../primitives/difference.ts'
import { verifySubscriptions } from '../subscriptions/verify-subscriptions.ts'
import { verifyTransactions } from '../transactions/verify-transactions.ts'
import {
  countUsersByStatus,
  verifyClaims,
  verifyKeysAndCreators,
  verifyTokens,
} from '../users/verify-users.ts'
import { verifyWebhooks } from '../webhooks/verify-webhooks.ts'

export interface VerificationResult {
  accounts: number
  transactions: number
  postings: number
  differences: number
}

export interface VerifyOptions {
  onDifference(difference: Difference): void
  onProgress?(done: { postings: number; of: number }): void
}

export async function verifyDatabase(db: Db, options: VerifyOptions): Promise<VerificationResult> {
  const total = await countPostings(db)
  const sum: VerificationResult = { accounts: 0, transactions: 0, postings: 0, differences: 0 }
  const tell = (found: Difference[]) => {
    sum.differences += found.length
    for (const difference of found) options.onDifference(difference)
  }
  tell(await inSnapshot(db, verifyPeople, roomy))
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const few = await verifyAccountsAfter(db, after)
    tell(few.differences)
    sum.accounts += few.accounts
    sum.transactions += few.transactions
    sum.postings += few.postings
    after = few.next
    options.onProgress?.({ postings: sum.postings, of: Math.max(total, sum.postings) })
  }
  return sum
}

// Sorts of a few hundred thousand rows stay in memory.
const roomy = { work_mem_mb: 64 }

async function verifyPeople(db: Queryable): Promise<Difference[]> {
  return [
    ...(await verifyCounts(db)),
    ...(await verifyClaims(db)),
    ...(await verifyTokens(db)),
    ...(await verifyKeysAndCreators(db)),
    ...(await verifyLinks(db)),
  ]
}

async function verifyCounts(db: Queryable): Promise<Difference[]> {
  const kept = await listStoredCounts(db)
  const accounts = await countAccountsByKind(db)
  const users = await countUsersByStatus(db)
  return checkCounts(kept, [
    ...accounts.map((count) => ({ list: 'accounts' as const, ...count })),
    ...users.map((count) => ({ list: 'users' as const, type: '', ...count })),
  ])
}

export function checkCounts(kept: StoredCount[], counted: StoredCount[]): Difference[] {
  const name = ({ list, status, type }: StoredCount) =>
    `${status} ${type} ${list}`.replace('  ', ' ')
  const kept_of = new Map(kept.map((count) => [name(count), count.n]))
  const counted_of = new Map(counted.map((count) => [name(count), count.n]))
  return [...new Set([...kept_of.keys(), ...counted_of.keys()])]
    .map((object) => [object, kept_of.get(object) ?? 0, counted_of.get(object) ?? 0] as const)
    .filter(([, found, expected]) => found !== expected)
    .map(([object, found, expected]) => ({
      rule: 'counts_match',
      account_id: null,
      object,
      found: `a count of ${found}`,
      expected: String(expected),
    }))
}

interface VerifiedFew extends Omit<VerificationResult, 'differences'> {
  differences: Difference[]
  /** Where to go on, or undefined at the end. */
  next: string | undefined
}

function verifyAccountsAfter(db: Db, after: string): Promise<VerifiedFew> {
  const few = async (snapshot: Queryable): Promise<VerifiedFew> => {
    const { locks, range } = await chooseFew(snapshot, after)
    const books = await verifyLedger(snapshot, range, locks)
    const moved = await verifyTransactions(snapshot, range, locks, books.facts)
    const payments = await verifyPayments(snapshot, range, locks)
    const subscriptions = await verifySubscriptions(snapshot, range, locks)
    const events = await verifyEvents(snapshot, range, locks, new Date())
    const accounts = await verifyAccounts(snapshot, range, locks)
    const webhooks = await verifyWebhooks(snapshot, range, locks)
    return {
      accounts: locks.length,
      transactions: moved.transactions,
      postings: books.facts.reduce((sum, { postings }) => sum + postings, 0),
      differences: [
        books.differences,
        moved.differences,
        payments,
        subscriptions,
        events,
        accounts,
        webhooks,
      ].flat(),
      next: range.through === max_uuid ? undefined : range.through,
    }
  }
  return inSnapshot(db, few, roomy)
}

// As many as are looked at within about a second: the snapshot holds vacuum up for no longer, and
// the bar moves. One account alone may have more.
const accounts_max = 1_000
const postings_max = 200_000

/** The last range reaches to the end of all ids, so that what lies between accounts is seen too. */
async function chooseFew(
  db: Queryable,
  after: string,
): Promise<{ locks: CheckedLock[]; range: AccountRange }> {
  const locks = await listLocks(db, after, accounts_max)
  let postings = 0
  const end = locks.findIndex(({ posting_sequence }) => {
    postings += posting_sequence
    return postings >= postings_max
  })
  const chosen = end === -1 ? locks : locks.slice(0, end + 1)
  const is_last = chosen.length === locks.length && locks.length < accounts_max
  const through = is_last ? max_uuid : chosen.at(-1)!.account_id
  const closings = new Set(await listClosings(db))
  const checked = chosen.map((lock) => ({ ...lock, is_closing: closings.has(lock.account_id) }))
  return { locks: checked, range: { after, through } }
}
