// GET /v1/transaction_details: data about transactions that is not in the transaction object, whose
// fields are fixed: refunds, the payment request and the customer.

import { findListedAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { mayUse } from '../identity/permissions.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { readIdList } from '../primitives/cursor.ts'
import { toTypeId } from '../primitives/ids.ts'
import { findTransactions, findTransactionsById } from '../transactions/find-transaction.ts'
import {
  findRefundTotals,
  type RefundAmounts,
  refundAmounts,
} from '../transactions/list-refunds.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import type { PaymentRow } from './payment.ts'
import { selectPaymentsPaidBy } from './queries.ts'

export const details_max = 100

interface TransactionDetails extends RefundAmounts {
  transaction_id: string
  refund_of: string | null
  payment_id: string | null
  customer_email: string | null
}

/** In the order of the ids. Ids that the caller has no access to are left out. */
export async function listTransactionDetails(
  db: Db,
  caller: Caller,
  transaction_ids: string,
): Promise<TransactionDetails[]> {
  const ids = readIdList('transaction_ids', 'transaction', transaction_ids, details_max)
  const rows = await findVisibleRows(db, caller, ids)
  const [totals, requests] = await Promise.all([
    findRefundTotals(db, rows),
    findPaidRequests(db, caller, rows),
  ])
  const row_of = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = row_of.get(id)
    if (row === undefined) return []
    const amounts = refundAmounts(row, totals.get(row.account_id + row.id))
    return [{ transaction_id: toTypeId('transaction', id), ...amounts, ...linksOf(row, requests) }]
  })
}

async function findVisibleRows(db: Db, caller: Caller, ids: string[]): Promise<TransactionRow[]> {
  const account_id = await findListedAccount(db, caller)
  if (account_id !== undefined) {
    return findTransactions(
      db,
      ids.map((id) => ({ account_id, id })),
    )
  }
  return isAdminOrPlatform(caller) ? findTransactionsById(db, ids) : []
}

function linksOf({ account_id, id, refund_of }: TransactionRow, requests: PaidRequests) {
  const request = requests.get(account_id + (refund_of ?? id))
  return {
    refund_of: refund_of === null ? null : toTypeId('transaction', refund_of),
    payment_id: request === undefined ? null : toTypeId('payment', request.id),
    customer_email: request?.customer_email ?? null,
  }
}

type PaidRequests = Map<string, PaymentRow>

/**
 * The payment requests of these transactions, by account and transaction: the request that a
 * payment paid or a refund refunds. Empty for an API key without access to payment requests.
 */
async function findPaidRequests(
  db: Queryable,
  caller: Caller,
  rows: Pick<TransactionRow, 'account_id' | 'id' | 'refund_of'>[],
): Promise<PaidRequests> {
  if (rows.length === 0 || !mayUse(caller, 'list_payments')) return new Map()
  const names = rows.map(({ account_id, id, refund_of }) => ({ account_id, id: refund_of ?? id }))
  const requests = await selectPaymentsPaidBy(db, names)
  return new Map(requests.map((one) => [one.account_id + one.transaction_id, one]))
}

/** For CSV files: the customer of each of these transactions. */
export async function findCustomers(
  db: Queryable,
  caller: Caller,
  rows: TransactionRow[],
): Promise<(row: TransactionRow) => string | null> {
  const requests = await findPaidRequests(db, caller, rows)
  return (row) => linksOf(row, requests).customer_email
}
