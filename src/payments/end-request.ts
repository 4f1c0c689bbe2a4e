// How a payment request ends, and what happens to money that arrives after its end. Pure functions
// over the set of a batch.

import type { AccountLock } from '../ledger/lock-row.ts'
import { toTypeId } from '../primitives/ids.ts'
import { settleCommand } from '../transactions/commands.ts'
import { decide, late_refund } from '../transactions/decide.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import type { LatePolicy } from './checkout-commands.ts'
import { ownerNotice, receiptEmail } from './emails.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'

/** Creates a transaction that has already succeeded, with both postings, and ends the request. */
export function succeed(set: PaymentSet, lock: AccountLock, row: PaymentRow): TransactionRow {
  const transaction = createPaid(set, row, row.amount, {})
  finalize(set, lock, row, { status: 'succeeded', transaction_id: transaction.id })
  set.emails.push(receiptEmail(set, row))
  set.notices.push(ownerNotice(set, row, 'payment_received'))
  return transaction
}

/** Records money that does not pay its request: the request has ended, or the amount differs. */
export function recordLatePayment(
  set: PaymentSet,
  row: PaymentRow,
  amount: number,
): TransactionRow {
  return createPaid(set, row, amount, { late_payment: true })
}

/** Refunds what has not been refunded yet. Covered by a debt if the balance does not suffice. */
export function refundLatePayment(
  { transactions }: PaymentSet,
  payment: TransactionRow,
  policy: LatePolicy,
): void {
  const { account_id, id, currency } = payment
  const amount = payment.amount - transactions.refundedOf(account_id, id)
  if (policy === 'keep' || amount <= 0) return
  decide(transactions, {
    kind: 'create',
    account_id,
    amount,
    currency,
    type: 'refund',
    reference: toTypeId('transaction', id),
    metadata: late_refund,
    linked_id: id,
    settle_after_ms: undefined,
    is_paid: true,
  })
}

function createPaid(
  set: PaymentSet,
  row: PaymentRow,
  amount: number,
  metadata: { late_payment?: true },
): TransactionRow {
  const payment_request = toTypeId('payment', row.id)
  const created = decide(set.transactions, {
    kind: 'create',
    account_id: row.account_id,
    amount,
    currency: row.currency,
    type: 'payment',
    reference: row.reference,
    metadata: JSON.stringify({ payment_request, ...metadata }),
    linked_id: undefined,
    settle_after_ms: undefined,
    is_paid: true,
  })
  return decide(set.transactions, settleCommand(created, 'succeeded'))
}

export function finalize(
  set: PaymentSet,
  lock: AccountLock,
  row: PaymentRow,
  changes: Partial<PaymentRow> & { status: 'succeeded' | 'failed' | 'canceled' },
): PaymentRow {
  set.change(lock, row, { ...changes, due_at: null, updated_at: set.locked.timeOf(lock) })
  set.addEvent(lock, `payment.${changes.status}`, row)
  if (changes.status === 'failed') set.notices.push(ownerNotice(set, row, 'payment_failed'))
  return row
}
