// `florin reconcile`: compares the ledger with the operator's balance at payment providers and with
// bank statements, and settlements with their entries. Reads accounts in batches, like
// `florin verify`, and takes no locks. The balance at the provider is imported before.

import {
  findCoverage,
  findNow,
  hasStatements,
  listSettledEntries,
  type SettledEntry,
} from '../bank-statements/reconcile-entries.ts'
import { listProviderDisputes } from '../disputes/verify-disputes.ts'
import type { JobResult } from '../jobs/timer.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { listLocks } from '../ledger/verify-ledger.ts'
import { hasPayouts } from '../payouts/verify-payouts.ts'
import { readClockOffset } from '../postgres/clock.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type AccountRange, confirmDifferences, type Difference } from '../postgres/difference.ts'
import { inSnapshot } from '../postgres/snapshot.ts'
import { idPrefixes, max_uuid, nil_uuid } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { type ProviderName, settledOnly } from '../processors/provider.ts'
import {
  type ComparisonTimes,
  compareMovements,
  type LedgerMovement,
  type LineSum,
} from '../settlements/compare-movements.ts'
import {
  type BalanceTotals,
  checkSettlements,
  findImportTimes,
  findReconciliation,
  listProviderMovements,
  type SettledSum,
  saveReconciliation,
  sumBalances,
} from '../settlements/reconcile-settlements.ts'
import { listChargeMovements } from '../transactions/charges.ts'
import { PayoutComparison } from './compare-payouts.ts'
import {
  type BankComparison,
  compareTransfers,
  listOpenLines,
  listPaidOut,
  type PaidOut,
} from './reconcile-bank.ts'
import { checkStatements } from './reconcile-statements.ts'
import { LineSums, type ReconciledLine } from './reconciled-line.ts'

export interface Reconciliation {
  /** In the order of the report. Amounts are minor units. */
  lines: ReconciledLine[]
  differences: Difference[]
}

/** Compares, and stores the result for the dashboard. */
export async function reconcileAndStore(db: Db): Promise<Reconciliation> {
  const compared_at = new Date()
  const result = await reconcile(db, compared_at)
  await saveReconciliation(db, compared_at, JSON.stringify(toStored(result)))
  return result
}

interface StoredReconciliation {
  lines: ReconciledLine[]
  difference_count: number
  differences: Difference[]
}

const stored_max = 100

function toStored({ lines, differences }: Reconciliation): StoredReconciliation {
  const difference_count = differences.length
  return { lines, difference_count, differences: differences.slice(0, stored_max) }
}

/** The result of the last comparison. */
export async function getReconciliation(
  db: Queryable,
): Promise<StoredReconciliation & { object: 'reconciliation'; compared_at: string | null }> {
  const found = await findReconciliation(db)
  const object = 'reconciliation'
  if (found === undefined) return { object, compared_at: null, ...nothing_compared }
  const { compared_at, result } = found
  return { object, compared_at: toIso(compared_at), ...JSON.parse(result) }
}

const nothing_compared = { lines: [], difference_count: 0, differences: [] }

// An operator who restarts workers does not cause more comparisons.
const compared_every_ms = 3_600_000

/** The worker's job. Without a provider, it compares bank transfers and payouts with the bank. */
export async function reconcileHourly(db: Db, { has_providers = false } = {}): Promise<JobResult> {
  const last = await findReconciliation(db)
  const age_ms = Date.now() - (last?.compared_at.getTime() ?? 0)
  if (age_ms < compared_every_ms) return { done: 0, more: false }
  const is_needed =
    has_providers ||
    (await findImportTimes(db)).size > 0 ||
    (await hasStatements(db)) ||
    (await hasPayouts(db))
  if (!is_needed) return { done: 0, more: false }
  await reconcileAndStore(db)
  return { done: 1, more: false }
}

const names: readonly ProviderName[] = ['stripe', 'mollie']

export async function reconcile(db: Db, now = new Date()): Promise<Reconciliation> {
  await db.shards.load(db)
  const offset_ms = await readClockOffset(db)
  const times = { imported_at: await findImportTimes(db), now, offset_ms }
  const started_at = await findNow(db)
  const coverage = await findCoverage(db)
  const lines = new LineSums()
  const differences: Difference[] = []
  const payouts = new PayoutComparison(coverage, offset_ms)
  // On Citus, statements of banks and accounts are on servers with separate snapshots.
  const repetitions = db.shards.is_distributed ? 3 : 0
  const addAll = (part: BankComparison) => {
    lines.addAll(part.lines)
    // Not push(...): a call has room for about a hundred thousand arguments.
    for (const difference of part.differences) differences.push(difference)
  }
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const start: string = after
    const batch = await confirmDifferences(repetitions, () =>
      inSnapshot(db, (snapshot) => compareAccounts(snapshot, start, times)),
    )
    addAll(batch)
    payouts.addPayouts(batch.payouts)
    after = batch.next
  }
  const settlements = await checkSettlements(db, async () => ({
    entries: await readSettledEntries(db, started_at, payouts),
    coverage,
  }))
  const { sums } = settlements
  const balances = await sumBalances(db)
  lines.addAll(balances.flatMap(balanceLines))
  addAll({ lines: sums.flatMap(settledLines), differences: settlements.differences })
  addAll(payouts.end())
  addAll({ lines: await listOpenLines(db), differences: await checkStatements(db) })
  return { lines: lines.list(), differences }
}

const entries_max = 5_000

/** Returns the entries that show settlements of providers, and adds the others to the payouts. */
async function readSettledEntries(
  db: Queryable,
  since: Date,
  payouts: PayoutComparison,
): Promise<ShownSettlement[]> {
  const shown: ShownSettlement[] = []
  const prefix = `${idPrefixes.settlement}_`
  for (let after_id: string | undefined = nil_uuid; after_id !== undefined; ) {
    const query: EntryQuery = { after_id, since, limit: entries_max }
    const page = await listSettledEntries(db, query)
    const of_settlements = page.filter(({ settles }) => settles?.startsWith(prefix))
    for (const one of of_settlements) shown.push({ ...one, settles: one.settles! })
    payouts.addEntries(page.filter(({ settles }) => !settles?.startsWith(prefix)))
    after_id = page.length < entries_max ? undefined : page.at(-1)!.id
  }
  return shown
}

type ShownSettlement = SettledEntry & { settles: string }

type EntryQuery = Parameters<typeof listSettledEntries>[1]

// Bounds the memory of a batch. An account with many payments is read at once.
const accounts_max = 1_000

async function compareAccounts(
  db: Queryable,
  after: string,
  times: ComparisonTimes,
): Promise<Batch> {
  const locks = await listLocks(db, after, accounts_max)
  // The last range has no end, so that entries of accounts that do not exist are compared too.
  const is_last = locks.length < accounts_max
  const range = { after, through: is_last ? max_uuid : locks.at(-1)!.account_id }
  const ledger = await listLedgerMovements(db, range, locks)
  const compared = compareMovements(ledger, await listProviderMovements(db, range), times)
  const transfers = await compareTransfers(db, range, locks)
  return {
    lines: [...compared.sums.map(comparedLine), ...transfers.lines],
    differences: [...compared.differences, ...transfers.differences],
    payouts: await listPaidOut(db, range),
    next: is_last ? undefined : range.through,
  }
}

interface Batch extends BankComparison {
  payouts: PaidOut[]
  next: string | undefined
}

async function listLedgerMovements(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
): Promise<LedgerMovement[]> {
  const currencies = new Map(locks.map(({ account_id, currency }) => [account_id, currency]))
  const currencyOf = (row: { account_id: string }) => currencies.get(row.account_id) ?? ''
  const charges = await listChargeMovements(db, range, names)
  const disputes = await listProviderDisputes(db, range, names)
  return [
    ...charges.map(({ transaction_id: recorded_id, ...row }) => ({
      ...row,
      recorded_id,
      currency: currencyOf(row),
    })),
    ...disputes.map(({ id: recorded_id, provider_dispute_id: source_id, amount, ...row }) => ({
      ...row,
      recorded_id,
      kind: 'dispute' as const,
      source_id,
      amount: 0 - amount,
      fee: 0,
      is_open: false,
      currency: currencyOf(row),
    })),
  ]
}

function comparedLine({ at_provider, ...sum }: LineSum): ReconciledLine {
  const difference = at_provider === null ? 0 : sum.ledger - at_provider - sum.in_progress
  return { ...sum, at_provider, at_bank: null, difference }
}

const one_sided = { ledger: null, at_bank: null, in_progress: 0, difference: 0 }

function balanceLines({ provider, currency, other, balance }: BalanceTotals): ReconciledLine[] {
  const of = { ...one_sided, provider, currency }
  const line: ReconciledLine = { ...of, line: 'other', at_provider: other }
  if (settledOnly.has(provider)) return [line]
  return [line, { ...of, line: 'balance', at_provider: balance }]
}

function settledLines(sum: SettledSum): ReconciledLine[] {
  const { provider, currency, settled, at_bank, in_progress, remainder } = sum
  const of = { ...one_sided, provider, currency }
  const difference = at_bank === null ? 0 : settled - at_bank - in_progress
  const progress = at_bank === null ? 0 : in_progress
  return [
    {
      ...of,
      line: 'settled',
      at_provider: settled,
      at_bank,
      in_progress: progress,
      difference,
    },
    { ...of, line: 'remainder', at_provider: remainder, difference: remainder },
  ]
}
