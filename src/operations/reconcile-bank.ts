// The bank's side of `florin reconcile`: transfers that pay requests, payouts, and entries that
// wait for a decision.

import {
  listEntriesSettling,
  listPayingEntries,
  type SettledEntry,
  type StatementCoverage,
  sumOpenEntries,
} from '../bank-statements/reconcile-entries.ts'
import { verifyBankEntries } from '../bank-statements/verify-entries.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import {
  listPaidPayouts,
  listShownRefunds,
  type PaidPayout,
  type ShownRefund,
} from '../payouts/verify-payouts.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { idPrefixes, toTypeId } from '../primitives/ids.ts'
import { listTransferCharges } from '../transactions/charges.ts'
import { findTransactions } from '../transactions/find-transaction.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { listTransferResults } from '../transactions/transfer-refunds.ts'
import type { ReconciledLine } from './reconciled-line.ts'

interface BankComparison {
  lines: ReconciledLine[]
  differences: Difference[]
}

function lineOf(
  line: ReconciledLine['line'],
  currency: string,
  sides: Pick<ReconciledLine, 'ledger' | 'at_bank'> & { in_progress?: number },
): ReconciledLine {
  const { ledger, at_bank, in_progress = 0 } = sides
  const difference = ledger === null || at_bank === null ? 0 : ledger - at_bank - in_progress
  const of = { provider: 'bank_transfer' as const, currency, line, at_provider: null }
  return { ...of, ledger, at_bank, in_progress, difference }
}

/** The charges that bank entries paid, and these entries. */
export async function compareTransfers(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
): Promise<BankComparison> {
  const currencies = new Map(locks.map(({ account_id, currency }) => [account_id, currency]))
  const currencyOf = (row: { account_id: string }) => currencies.get(row.account_id) ?? ''
  const charges = await listTransferCharges(db, range)
  const entries = await listPayingEntries(db, range)
  const recorded = new Set(charges.map(({ charge_id }) => charge_id))
  const lines = [
    ...charges.map((row) => lineOf('charges', currencyOf(row), { ledger: row.amount, at_bank: 0 })),
    ...entries.map((row) => {
      const is_open = row.status === 'settling' && !recorded.has(toTypeId('bank_entry', row.id))
      const in_progress = is_open ? 0 - row.amount : 0
      return lineOf('charges', currencyOf(row), { ledger: 0, at_bank: row.amount, in_progress })
    }),
  ]
  return { lines, differences: await verifyBankEntries(db, range) }
}

/** A payout, or a refund by transfer, that the ledger has paid. */
export interface PaidOut extends PaidPayout {
  kind: 'payout' | 'transaction'
}

export async function listPaidOut(db: Queryable, range: AccountRange): Promise<PaidOut[]> {
  const payouts = await listPaidPayouts(db, range)
  const refunds = await listShownRefunds(db, range)
  return [
    ...payouts.map((row) => ({ ...row, kind: 'payout' as const })),
    ...(refunds.length === 0 ? [] : await listPaidRefunds(db, range, refunds)),
  ]
}

async function listPaidRefunds(
  db: Queryable,
  range: AccountRange,
  refunds: ShownRefund[],
): Promise<PaidOut[]> {
  const results = await listTransferResults(db, range)
  const state_of = new Map(results.map(({ exported_id, state }) => [exported_id, state]))
  const transactions = new Map((await findTransactions(db, refunds)).map((row) => [row.id, row]))
  return refunds.flatMap((row) => {
    const transaction = transactions.get(row.id)
    if (transaction === undefined) return []
    const status = refundStatus(row, transaction, state_of.get(toTypeId('transaction', row.id)))
    const { updated_at } = transaction
    return status === undefined ? [] : [{ ...row, status, updated_at, kind: 'transaction' }]
  })
}

/** The ledger's side. A refund that succeeded stays so when it comes back: a credit returns it. */
function refundStatus(
  { returned_entry_id }: ShownRefund,
  { status }: TransactionRow,
  state: 'succeeded' | 'failed' | undefined,
): PaidOut['status'] | undefined {
  if (state !== undefined) return state === 'failed' ? 'returned' : 'paid'
  if (status === 'succeeded') return 'paid'
  // It had ended here before, and its return was read before its debit: neither changed the ledger.
  return returned_entry_id === null ? undefined : 'returned'
}

/** The entries that show payouts and refunds, or the payment files of several. */
export async function listPayoutEntries(db: Queryable): Promise<SettledEntry[]> {
  return [
    ...(await listEntriesSettling(db, idPrefixes.payout)),
    ...(await listEntriesSettling(db, idPrefixes.payout_export)),
    ...(await listEntriesSettling(db, idPrefixes.transaction)),
  ]
}

/** `offset_ms`: by which business time is ahead of real time, which banks use. */
export function comparePayouts(
  payouts: readonly PaidOut[],
  entries: readonly SettledEntry[],
  coverage: readonly StatementCoverage[],
  offset_ms: number,
): BankComparison {
  const lines: ReconciledLine[] = []
  const differences: Difference[] = []
  const days_of = new Map(coverage.map((days) => [days.currency, days]))
  const left = new Map(entries.map((entry) => [entry.id, entry.amount]))
  for (const row of payouts) {
    const moves = movesOf(row)
    const may_follow = mayFollow(row, days_of.get(row.currency), offset_ms)
    for (const { entry_id, amount } of moves) {
      const in_progress = entry_id === null && may_follow ? amount : 0
      lines.push(lineOf('payouts', row.currency, { ledger: amount, at_bank: 0, in_progress }))
      if (entry_id !== null) left.set(entry_id, (left.get(entry_id) ?? 0) - amount)
      else if (!may_follow) differences.push(notShown(row, amount))
    }
  }
  for (const { id, amount, currency, is_recent } of entries) {
    // What it settles may have been read before.
    const in_progress = is_recent ? 0 - (left.get(id) ?? 0) : 0
    lines.push(lineOf('payouts', currency, { ledger: 0, at_bank: amount, in_progress }))
    if (is_recent) left.delete(id)
  }
  for (const [id, amount] of left) if (amount !== 0) differences.push(notPaid(id, amount))
  return { lines, differences }
}

function movesOf(row: PaidPayout): { entry_id: string | null; amount: number }[] {
  const paid = { entry_id: row.paid_entry_id, amount: 0 - row.amount }
  const returned = { entry_id: row.returned_entry_id, amount: row.amount }
  return row.status === 'returned' ? [paid, returned] : [paid]
}

// Weekends and holidays.
const transfer_days = 5

/** Whether a statement that is not imported yet may show it. */
function mayFollow(
  { updated_at }: PaidPayout,
  days: StatementCoverage | undefined,
  offset_ms: number,
): boolean {
  const at_ms = updated_at.getTime() - offset_ms + transfer_days * 86_400_000
  return days === undefined || at_ms > Date.parse(days.until_day)
}

function notShown({ account_id, id, kind, currency }: PaidOut, amount: number): Difference {
  return {
    rule: 'payout_is_at_the_bank',
    account_id: toTypeId('account', account_id),
    object: toTypeId(kind, id),
    found: 'nothing at the bank',
    expected: `${amount} ${currency}, as in the ledger`,
  }
}

function notPaid(entry_id: string, amount: number): Difference {
  return {
    rule: 'payout_is_at_the_bank',
    account_id: null,
    object: toTypeId('bank_entry', entry_id),
    found: `${amount} more at the bank than its payouts`,
    expected: 'the sum of its payouts',
  }
}

/** Entries that wait for a decision are on the bank's side only. */
export async function listOpenLines(db: Queryable): Promise<ReconciledLine[]> {
  const sums = await sumOpenEntries(db)
  return sums.map(({ currency, amount }) =>
    lineOf('open', currency, { ledger: null, at_bank: amount }),
  )
}
