// A settlement is a transfer from the operator's balance at a payment provider to the operator's
// bank account. Its entries are the charges, refunds, disputes and fees that it pays out.

import { findUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import type { BalanceEntry, ProviderName, ProviderSettlement } from '../processors/provider.ts'

export const settlementStatuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

export interface SettlementRow {
  id: string
  provider: ProviderName
  /** The id at the provider. */
  provider_id: string
  amount: number
  currency: string
  status: ProviderSettlement['status']
  grouping: ProviderSettlement['grouping']
  /** Whether all entries that the provider lists are stored. */
  has_entries: boolean
  created_at: Date
  arrives_at: Date
  /** What names it on the bank statement, one per line. */
  reference_lines: string
  bank_entry_id: string | null
  /** The entry with which the bank has taken it back. */
  returned_entry_id: string | null
}

export interface BalanceEntryRow extends Omit<BalanceEntry, 'charged'> {
  provider: ProviderName
  /** The id at the provider. */
  provider_id: string
  charged_amount: number
  charged_fee: number
  charged_currency: string
  /** The settlement that paid it out, by the id at the provider. */
  settlement_id: string | null
}

/** The entries of one kind in a settlement. */
export interface EntrySum {
  kind: BalanceEntry['kind']
  entries: number
  amount: number
  fee: number
}

/**
 * What a settlement contains beyond its entries. Zero if they add up. Entries of the kind
 * `settlement` are the settlement itself.
 */
export function remainderOf({ amount }: { amount: number }, sums: readonly EntrySum[]): number {
  const paid_out = sums.filter(({ kind }) => kind !== 'settlement')
  return paid_out.reduce((left, sum) => left - (sum.amount - sum.fee), amount)
}

/** Of the others, the provider does not list all entries, or a person chose the amount. */
export function hasAllEntries(row: Pick<SettlementRow, 'has_entries' | 'grouping'>): boolean {
  return row.has_entries && row.grouping === 'complete'
}

interface SettlementLine {
  kind: Exclude<BalanceEntry['kind'], 'settlement'> | 'remainder'
  count: number
  amount: number
  fee: number
  net: number
}

interface Settlement {
  id: string
  provider: ProviderName
  provider_id: string
  amount: number
  currency: string
  status: SettlementRow['status']
  entries: 'complete' | 'in_progress' | 'unavailable'
  lines: SettlementLine[]
  references: string[]
  bank_entry_id: string | null
  returned_entry_id: string | null
  created_at: string
  arrives_at: string
}

export function presentSettlement(row: SettlementRow & { sums: EntrySum[] }): Settlement {
  const { id, provider, provider_id, amount, currency, status } = row
  const entryId = (of: string | null) => of && toTypeId('bank_entry', of)
  return {
    id: toTypeId('settlement', id),
    provider,
    provider_id,
    amount,
    currency,
    status,
    entries: entriesState(row),
    lines: linesOf(row),
    references: row.reference_lines.split('\n'),
    bank_entry_id: entryId(row.bank_entry_id),
    returned_entry_id: entryId(row.returned_entry_id),
    created_at: toIso(row.created_at),
    arrives_at: toIso(row.arrives_at),
  }
}

function entriesState(row: SettlementRow): Settlement['entries'] {
  if (hasAllEntries(row)) return 'complete'
  return row.grouping === 'none' ? 'unavailable' : 'in_progress'
}

/** With all entries, the nets add up to the amount: the remainder is the last line. */
function linesOf(row: SettlementRow & { sums: EntrySum[] }): SettlementLine[] {
  const lines = row.sums.flatMap(({ kind, entries: count, amount, fee }): SettlementLine[] =>
    kind === 'settlement' ? [] : [{ kind, count, amount, fee, net: amount - fee }],
  )
  if (!hasAllEntries(row)) return lines
  const remainder = remainderOf(row, row.sums)
  return [...lines, { kind: 'remainder', count: 0, amount: remainder, fee: 0, net: remainder }]
}

interface PresentedEntry {
  id: string
  provider_id: string
  kind: Exclude<BalanceEntry['kind'], 'settlement'>
  source_id: string | null
  account_id: string | null
  amount: number
  fee: number
  net: number
  currency: string
  created_at: string
}

export function presentEntry(row: BalanceEntryRow): PresentedEntry {
  const { provider_id, source_id, account_id, amount, fee, currency } = row
  return {
    id: toTypeId('balance_entry', row.id),
    provider_id,
    kind: row.kind as PresentedEntry['kind'],
    source_id,
    account_id: account_id && toTypeId('account', account_id),
    amount,
    fee,
    net: amount - fee,
    currency,
    created_at: toIso(row.at),
  }
}

/** The UUID in the id of a settlement. Malformed ids are reported as unknown. */
export function readSettlementId(text: string): string {
  const id = findUuid('settlement', text)
  if (id === undefined) throw unknownSettlement()
  return id
}

export function unknownSettlement(): Refusal {
  return new Refusal('not_found', 'No settlement with this id exists.')
}
