// Refunds of payment requests: what the lanes of transactions are told about requests (see
// transactions/payment-requests.ts), and how much of each request has been refunded.

import type { Queryable } from '../postgres/database.ts'
import { findRefundTotals } from '../transactions/list-refunds.ts'
import { noPaymentRequests, type PaymentRequests } from '../transactions/payment-requests.ts'
import type { PaymentRow } from './payment.ts'
import { selectPayments } from './queries.ts'

export function paymentRequests(): PaymentRequests {
  return { ...noPaymentRequests, find: (tx, names) => selectPayments(tx, names) }
}

/** What has been refunded of each of these requests, pending and succeeded refunds together. */
export async function refundedAmounts(
  db: Queryable,
  rows: PaymentRow[],
): Promise<(row: PaymentRow) => number> {
  const paid = rows.flatMap(({ account_id, transaction_id: id }) =>
    id === null ? [] : [{ account_id, id }],
  )
  const totals = await findRefundTotals(db, paid)
  return ({ account_id, transaction_id }) => totals.get(account_id + transaction_id)?.amount ?? 0
}
