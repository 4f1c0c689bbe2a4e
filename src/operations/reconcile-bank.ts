// The bank's side of `florin reconcile`: transfers that pay requests, payouts, and entries that
// wait for a decision.

import {
  listPayingEntries,
  type PayingEntry,
  sumOpenEntries,
} from '../bank-statements/reconcile-entries.ts'
import { compareEntries } from '../bank-statements/verify-entries.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import {
  listPaidPayouts,
  listShownRefunds,
  type PaidPayout,
  type ShownRefund,
} from '../payouts/verify-payouts.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { listTransferCharges } from '../transactions/charges.ts'
import { findTransactions } from '../transactions/find-transaction.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { listTransferResults } from '../transactions/transfer-refunds.ts'
import { bankLine, LineSums, type ReconciledLine } from './reconciled-line.ts'

export interface BankComparison {
  lines: ReconciledLine[]
  differences: Difference[]
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
  return {
    lines: sumTransfers(charges, entries, currencyOf),
    differences: compareEntries(charges, entries),
  }
}

type TransferCharge = Awaited<ReturnType<typeof listTransferCharges>>[number]

export function sumTransfers(
  charges: readonly TransferCharge[],
  entries: readonly PayingEntry[],
  currencyOf: (row: { account_id: string }) => string,
): ReconciledLine[] {
  const sums = new LineSums()
  const recorded = new Set(charges.map(({ charge_id }) => charge_id))
  for (const row of charges) {
    sums.add(bankLine('charges', currencyOf(row), { ledger: row.amount, at_bank: 0 }))
  }
  for (const row of entries) {
    const is_open = row.status === 'settling' && !recorded.has(toTypeId('bank_entry', row.id))
    const in_progress = is_open ? 0 - row.amount : 0
    sums.add(bankLine('charges', currencyOf(row), { ledger: 0, at_bank: row.amount, in_progress }))
  }
  return sums.list()
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

/** Entries that wait for a decision are on the bank's side only. */
export async function listOpenLines(db: Queryable): Promise<ReconciledLine[]> {
  const sums = await sumOpenEntries(db)
  return sums.map(({ currency, amount }) =>
    bankLine('open', currency, { ledger: null, at_bank: amount }),
  )
}
