// Refunds of payment requests: the access to requests that the lanes of transactions need (see
// transactions/payment-requests.ts), and the refunded amount of each request.

import { findAccounts } from '../accounts/find-accounts.ts'
import { queueEmails } from '../email/outbox.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { tooBusy } from '../primitives/refusal.ts'
import { findRefundTotals } from '../transactions/list-refunds.ts'
import type { PaymentRequests, QueueRefundEmails } from '../transactions/payment-requests.ts'
import { refundEmail } from './emails.ts'
import type { PaymentRow } from './payment.ts'
import { selectPayments, selectPaymentsPaidBy } from './queries.ts'

export function paymentRequests(public_url: string): PaymentRequests {
  return {
    find: (tx, names) => selectPayments(tx, names),
    prepareRefundEmails: (tx, payments) => prepareRefundEmails(tx, public_url, payments),
  }
}

async function prepareRefundEmails(
  db: Queryable,
  public_url: string,
  payments: RowKey[],
): Promise<QueueRefundEmails> {
  const account_ids = [...new Set(payments.map(({ account_id }) => account_id))]
  const [rows, accounts] = await Promise.all([
    selectPaymentsPaidBy(db, payments),
    findAccounts(db, account_ids),
  ])
  const context = { public_url, accounts: new Map(accounts.map((one) => [one.id, one])) }
  const paid_by = new Map(rows.map((row) => [row.account_id + row.transaction_id, row]))
  return (tx, refunds) => {
    const emails = refunds.flatMap((refund) => {
      const request = paid_by.get(refund.account_id + refund.refund_of)
      return request === undefined ? [] : [refundEmail(context, request, refund)]
    })
    queueEmails(tx, emails)
  }
}

/** The request that this transaction paid. */
export async function findRequestPaidBy(
  db: Queryable,
  account_id: string,
  transaction_id: string,
): Promise<PaymentRow | undefined> {
  const [row] = await selectPaymentsPaidBy(db, [{ account_id, id: transaction_id }])
  return row
}

/** The refunded amount of each of these requests, including pending refunds. */
export async function refundedAmounts(
  db: Queryable,
  rows: PaymentRow[],
): Promise<(row: PaymentRow) => number> {
  const totals = await findRefundTotals(db, rows.flatMap(transactionOf))
  return ({ account_id, transaction_id }) => totals.get(account_id + transaction_id)?.amount ?? 0
}

type FindRefund = (row: PaymentRow) => Promise<{ amount: number; at: Date } | undefined>

/** For the payment page: succeeded refunds only, because pending ones can still fail. */
export function refundFinder(db: Db): FindRefund {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const find = coalesce((rows: PaymentRow[]) => findInOrder(db, rows), limits, tooBusy)
  return async (row) => (row.transaction_id === null ? undefined : find(row))
}

async function findInOrder(db: Db, rows: PaymentRow[]) {
  const totals = await findRefundTotals(db, rows.flatMap(transactionOf))
  return rows.map(({ account_id, transaction_id }) => {
    const { succeeded_amount = 0, last_succeeded_at } =
      totals.get(account_id + transaction_id) ?? {}
    return last_succeeded_at ? { amount: succeeded_amount, at: last_succeeded_at } : undefined
  })
}

function transactionOf({ account_id, transaction_id: id }: PaymentRow): RowKey[] {
  return id === null ? [] : [{ account_id, id }]
}
