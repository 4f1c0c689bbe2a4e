// Settlements for `florin reconcile`: their entries must add up to their amounts. What they contain
// beyond their entries is a difference, and never hidden in a sum.

import type { Queryable } from '../postgres/database.ts'
import type { Difference } from '../postgres/difference.ts'
import { nil_uuid, toTypeId } from '../primitives/ids.ts'
import type { ProviderName } from '../processors/provider.ts'
import {
  type SettlementWithSums,
  selectBalanceSums,
  selectImports,
  selectProviderMovements,
  selectReconciliation,
  selectSettlementsAfter,
  upsertReconciliation,
} from './queries.ts'
import { hasAllEntries, remainderOf } from './settlement.ts'

export type { BalanceSum as BalanceTotals } from './queries.ts'

export const listProviderMovements = selectProviderMovements
export const sumBalances = selectBalanceSums
export const findReconciliation = selectReconciliation
export const saveReconciliation = upsertReconciliation

/** When the balance of each provider was imported. */
export async function findImportTimes(db: Queryable): Promise<Map<ProviderName, Date>> {
  const imports = await selectImports(db)
  return new Map(imports.map(({ provider, complete_until }) => [provider, complete_until]))
}

export interface SettledSum {
  provider: ProviderName
  currency: string
  /** What was paid out, or is on its way. */
  settled: number
  /** Null if no bank statement in this currency was imported. */
  at_bank: number | null
  /** What no bank statement can show yet. */
  in_progress: number
  /** What the settlements contain beyond their entries. */
  remainder: number
}

/** The entries of bank statements that show settlements, and the days that statements cover. */
interface BankSide {
  entries: { settles: string; amount: number; is_recent: boolean }[]
  coverage: { currency: string; from_day: string; until_day: string }[]
}

const page_rows = 500

/** `readBank` must read after the settlements: both sides are written together. */
export async function checkSettlements(
  db: Queryable,
  readBank: () => Promise<BankSide>,
): Promise<{ sums: SettledSum[]; differences: Difference[] }> {
  const rows: SettlementWithSums[] = []
  for (let is_last = false; !is_last; ) {
    const page = await selectSettlementsAfter(db, rows.at(-1)?.id ?? nil_uuid, page_rows)
    rows.push(...page)
    is_last = page.length < page_rows
  }
  return compareSettlements(rows, await readBank())
}

export function compareSettlements(
  rows: readonly SettlementWithSums[],
  { entries, coverage }: BankSide,
): { sums: SettledSum[]; differences: Difference[] } {
  const sums = new Map<string, SettledSum>()
  const differences: Difference[] = []
  const days_of = new Map(coverage.map((days) => [days.currency, days]))
  const shown = new Map<string, number>()
  for (const { settles, amount } of entries) {
    shown.set(settles, (shown.get(settles) ?? 0) + amount)
  }
  for (const row of rows) {
    const id = toTypeId('settlement', row.id)
    const days = days_of.get(row.currency)
    const at_bank = shown.get(id)
    shown.delete(id)
    const remainder = hasAllEntries(row) && !isReturned(row) ? remainderOf(row, row.sums) : 0
    if (remainder !== 0) differences.push(remainderDifference(row, remainder))
    const is_in_progress = at_bank === undefined && mayArriveLater(row, days)
    const expected = isReturned(row) ? 0 : row.amount
    if (!is_in_progress && (at_bank ?? 0) !== expected) {
      differences.push(bankDifference(row, at_bank, expected))
    }
    add(sums, row, {
      settled: expected,
      at_bank: days === undefined ? null : (at_bank ?? 0),
      in_progress: is_in_progress ? expected : 0,
      remainder,
    })
  }
  const recent = new Set(entries.flatMap((one) => (one.is_recent ? [one.settles] : [])))
  for (const [id, amount] of shown) {
    if (!recent.has(id)) differences.push(unknownDifference(id, amount))
  }
  return { sums: [...sums.values()], differences }
}

function isReturned({ status }: SettlementWithSums): boolean {
  return status === 'failed' || status === 'canceled'
}

// Weekends and holidays.
const transfer_days = 5

/** Whether the imported statements do not cover the days on which the bank shows a settlement. */
function mayArriveLater(
  { arrives_at }: SettlementWithSums,
  days: BankSide['coverage'][number] | undefined,
): boolean {
  if (days === undefined) return true
  const day_ms = 86_400_000
  const at_ms = arrives_at.getTime()
  // Also those from before the first statement.
  if (at_ms - transfer_days * day_ms < Date.parse(days.from_day)) return true
  return at_ms + transfer_days * day_ms > Date.parse(days.until_day)
}

type Amounts = Omit<SettledSum, 'provider' | 'currency'>

function add(sums: Map<string, SettledSum>, row: SettlementWithSums, one: Amounts): void {
  const { provider, currency } = row
  const key = `${provider} ${currency}`
  const sum = sums.get(key)
  if (sum === undefined) return void sums.set(key, { provider, currency, ...one })
  sum.settled += one.settled
  if (sum.at_bank !== null) sum.at_bank += one.at_bank ?? 0
  sum.in_progress += one.in_progress
  sum.remainder += one.remainder
}

function objectOf({ id, provider_id }: SettlementWithSums) {
  return { account_id: null, object: `${toTypeId('settlement', id)} (${provider_id})` }
}

function remainderDifference(row: SettlementWithSums, remainder: number): Difference {
  const { amount, currency } = row
  return {
    rule: 'settlement_equals_its_entries',
    ...objectOf(row),
    found: `${amount} ${currency}, with a remainder of ${remainder}`,
    expected: `${amount - remainder} ${currency}, the sum of its entries`,
  }
}

function bankDifference(
  row: SettlementWithSums,
  at_bank: number | undefined,
  expected: number,
): Difference {
  const { currency, status } = row
  return {
    rule: 'settlement_is_at_the_bank',
    ...objectOf(row),
    found: at_bank === undefined ? 'nothing at the bank' : `${at_bank} ${currency} at the bank`,
    expected: `${expected} ${currency}, because it is ${status}`,
  }
}

function unknownDifference(id: string, amount: number): Difference {
  return {
    rule: 'settlement_is_at_the_bank',
    account_id: null,
    object: id,
    found: `${amount} at the bank`,
    expected: 'a settlement of a provider',
  }
}
