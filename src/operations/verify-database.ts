// `florin verify`: checks the consistency of the whole database while it is in use. Reads accounts
// in batches, each in one snapshot. Every change to an account is one database transaction, so an
// account is consistent within a snapshot. Takes no locks, and holds one batch in memory.

import { countAccountsByKind, verifyAccounts } from '../accounts/verify-accounts.ts'
import { verifyBankEntries } from '../bank-statements/verify-entries.ts'
import { verifyDisputes } from '../disputes/verify-disputes.ts'
import { verifyDocuments } from '../documents/find-documents.ts'
import { verifyEvents } from '../events/verify-events.ts'
import {
  countUsersByStatus,
  verifyClaims,
  verifyKeysAndCreators,
  verifyTokens,
} from '../identity/users/verify-users.ts'
import { listClosings } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { countPostings, listLocks, verifyLedger } from '../ledger/verify-ledger.ts'
import { verifyLinkUses } from '../payments/link-uses.ts'
import { verifyLinks, verifyPayments } from '../payments/verify-payments.ts'
import { verifyExports, verifyPayouts } from '../payouts/verify-payouts.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import {
  type AccountRange,
  confirmDifferences,
  type Difference,
  differences_max,
} from '../postgres/difference.ts'
import { listStoredCounts, type StoredCount } from '../postgres/list-counts.ts'
import { inSnapshot } from '../postgres/snapshot.ts'
import { max_uuid, nil_uuid } from '../primitives/ids.ts'
import { verifySubscriptions } from '../subscriptions/verify-subscriptions.ts'
import { verifyTransactions } from '../transactions/verify-transactions.ts'
import { verifyTransferPairs, verifyTransfers } from '../transfers/verify-transfers.ts'
import { verifyWebhooks } from '../webhooks/verify-webhooks.ts'
import { verifyCustomers } from './verify-customers.ts'

export interface VerificationResult {
  accounts: number
  transactions: number
  postings: number
  differences: number
}

interface VerifyOptions {
  onDifference(difference: Difference): void
  onProgress?(done: { postings: number; of: number }): void
}

export async function verifyDatabase(db: Db, options: VerifyOptions): Promise<VerificationResult> {
  const total = await countPostings(db)
  const sum: VerificationResult = { accounts: 0, transactions: 0, postings: 0, differences: 0 }
  const report = (found: Difference[]) => {
    sum.differences += found.length
    for (const difference of found) options.onDifference(difference)
  }
  await db.shards.load(db)
  const { is_distributed } = db.shards
  const repetitions = is_distributed ? confirmations : 0
  const people = await confirmDifferences(repetitions, () =>
    inSnapshot(
      db,
      (snapshot) => verifyPeople(snapshot, is_distributed ? pairs_max : differences_max),
      large_sorts,
    ),
  )
  report(people.differences)
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const start: string = after
    const batch = await confirmDifferences(repetitions, () => verifyAccountsAfter(db, start))
    report(batch.differences)
    sum.accounts += batch.accounts
    sum.transactions += batch.transactions
    sum.postings += batch.postings
    after = batch.next
    options.onProgress?.({ postings: sum.postings, of: Math.max(total, sum.postings) })
  }
  return sum
}

// Each Citus server has a separate snapshot. Accounts are within one, but not users, counts and
// transfers, and a worker's first read may be later than the coordinator's. Such a difference does
// not last.
const confirmations = 3

// So that transfers in progress do not leave out one with a lasting difference.
const pairs_max = 1_000

// Keeps sorts of a few hundred thousand rows in memory.
const large_sorts = { work_mem_mb: 64 }

async function verifyPeople(
  db: Queryable,
  pair_differences_max: number,
): Promise<{ differences: Difference[] }> {
  const differences = [
    ...(await verifyCounts(db)),
    ...(await verifyClaims(db)),
    ...(await verifyTokens(db)),
    ...(await verifyKeysAndCreators(db)),
    ...(await verifyLinks(db)),
    ...(await verifyTransferPairs(db, pair_differences_max)),
    ...(await verifyExports(db)),
  ]
  return { differences }
}

async function verifyCounts(db: Queryable): Promise<Difference[]> {
  const stored = await listStoredCounts(db)
  const accounts = await countAccountsByKind(db)
  const users = await countUsersByStatus(db)
  return checkCounts(stored, [
    ...accounts.map((count) => ({ list: 'accounts' as const, ...count })),
    ...users.map((count) => ({ list: 'users' as const, type: '', ...count })),
  ])
}

function checkCounts(stored: StoredCount[], counted: StoredCount[]): Difference[] {
  const name = ({ list, status, type }: StoredCount) =>
    `${status} ${type} ${list}`.replace('  ', ' ')
  const stored_of = new Map(stored.map((count) => [name(count), count.n]))
  const counted_of = new Map(counted.map((count) => [name(count), count.n]))
  return [...new Set([...stored_of.keys(), ...counted_of.keys()])]
    .map((object) => [object, stored_of.get(object) ?? 0, counted_of.get(object) ?? 0] as const)
    .filter(([, found, expected]) => found !== expected)
    .map(([object, found, expected]) => ({
      rule: 'counts_match',
      account_id: null,
      object,
      found: `a count of ${found}`,
      expected: String(expected),
    }))
}

interface BatchVerification extends Omit<VerificationResult, 'differences'> {
  differences: Difference[]
  /** Where the next batch starts; undefined at the end. */
  next: string | undefined
}

function verifyAccountsAfter(db: Db, after: string): Promise<BatchVerification> {
  const verifyBatch = async (snapshot: Queryable): Promise<BatchVerification> => {
    const { locks, range } = await chooseBatch(snapshot, after)
    const ledger = await verifyLedger(snapshot, range, locks)
    const transactions = await verifyTransactions(snapshot, range, locks, ledger.facts)
    const transfers = await verifyTransfers(snapshot, range, locks)
    const { fingerprints } = transfers
    const disputes = await verifyDisputes(snapshot, range, locks, ledger.facts, fingerprints)
    const payouts = await verifyPayouts(snapshot, range, locks, ledger.facts)
    const payments = await verifyPayments(snapshot, range, locks)
    const bank_entries = await verifyBankEntries(snapshot, range)
    const link_uses = await verifyLinkUses(snapshot, range)
    const documents = await verifyDocuments(snapshot, range, locks)
    const subscriptions = await verifySubscriptions(snapshot, range, locks)
    const customers = await verifyCustomers(snapshot, range)
    const events = await verifyEvents(snapshot, range, locks, new Date())
    const accounts = await verifyAccounts(snapshot, range, locks)
    const webhooks = await verifyWebhooks(snapshot, range, locks)
    return {
      accounts: locks.length,
      transactions: transactions.transactions,
      postings: ledger.facts.reduce((sum, { postings }) => sum + postings, 0),
      differences: [
        ledger.differences,
        transactions.differences,
        transfers.differences,
        disputes,
        payouts,
        payments,
        bank_entries,
        link_uses,
        documents,
        subscriptions,
        customers,
        events,
        accounts,
        webhooks,
      ].flat(),
      next: range.through === max_uuid ? undefined : range.through,
    }
  }
  return inSnapshot(db, verifyBatch, large_sorts)
}

// A batch takes about a second, because an open snapshot delays vacuum and the progress bar should
// move. A single account can have more postings.
const accounts_max = 1_000
const postings_max = 200_000

/** Ranges cover all ids, so rows of accounts that do not exist are checked too. */
async function chooseBatch(
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
