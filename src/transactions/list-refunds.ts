// GET /v1/transactions/{id}/refunds: the refunds linked to a payment, and its refundable amount.

import type { Caller } from '../identity/caller.ts'
import { type RowKey, rowKey } from '../lanes/row-set.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { inSnapshot } from '../postgres/snapshot.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { type FindTransaction, getTransaction } from './find-transaction.ts'
import { selectRefundTotals, selectTransactionPage, selectTransactions } from './queries.ts'
import type { ListedRow, TransactionRow } from './transaction.ts'
import type { RefundTotal } from './transaction-set.ts'

export interface RefundAmounts {
  /** Pending and succeeded refunds. */
  refunded_amount: number
  /** The pending part of `refunded_amount`. */
  pending_refund_amount: number
  /** The maximum of another refund; 0 unless this is a succeeded payment. */
  refundable_amount: number
}

export function refundAmounts(
  { type, status, amount }: Pick<TransactionRow, 'type' | 'status' | 'amount'>,
  total: RefundTotal | undefined,
): RefundAmounts {
  const refunded_amount = total?.amount ?? 0
  const is_refundable = type === 'payment' && status === 'succeeded'
  return {
    refunded_amount,
    pending_refund_amount: refunded_amount - (total?.succeeded_amount ?? 0),
    // A refund made at the provider can exceed what was left.
    refundable_amount: is_refundable ? Math.max(0, amount - refunded_amount) : 0,
  }
}

/** The refund totals of these payments, by rowKey; payments without refunds are left out. */
export async function findRefundTotals(
  db: Queryable,
  payments: RowKey[],
): Promise<Map<string, RefundTotal>> {
  const totals = payments.length === 0 ? [] : await selectRefundTotals(db, payments)
  return new Map(totals.map((total) => [rowKey(total.account_id, total.payment_id), total]))
}

/** Reads one snapshot, so the amounts match the listed refunds. */
export async function listRefunds(
  db: Db,
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
  query: CursorQuery,
): Promise<CursorPage<ListedRow> & RefundAmounts> {
  const found = await getTransaction(find, caller, transaction_id)
  const { account_id, id } = found
  return inSnapshot(db, async (snapshot) => {
    const totals = await findRefundTotals(snapshot, [{ account_id, id }])
    const page = await pageByCursor(query, 'transaction', {
      exists: async (cursor) => {
        const [row] = await selectTransactions(snapshot, [{ account_id, id: cursor }])
        return row?.refund_of === id
      },
      select: (range) => selectTransactionPage(snapshot, refundsOf(account_id, id), range),
    })
    return { ...page, ...refundAmounts(found, totals.get(rowKey(account_id, id))) }
  })
}

function refundsOf(account_id: string, refund_of: string) {
  const all = {
    status: undefined,
    type: 'refund',
    first_id: undefined,
    last_id: undefined,
  } as const
  return { ...all, account_id, refund_of }
}

// Far more than a payment has in practice; the list of emails needs the newest only.
const refunds_max = 1_000

/** The ids of the newest succeeded refunds of this payment. */
export async function findSucceededRefunds(
  db: Queryable,
  account_id: string,
  payment_id: string,
): Promise<string[]> {
  const filter = { ...refundsOf(account_id, payment_id), status: 'succeeded' } as const
  const range = { before: null, after: null, limit: refunds_max }
  return (await selectTransactionPage(db, filter, range)).map(({ id }) => id)
}
