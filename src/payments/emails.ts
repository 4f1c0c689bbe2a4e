// The emails to the customer of a payment request. Their `cause` is a unique key that prevents
// duplicates.

import type { Email } from '../email/email.ts'
import type { HourlyNotice } from '../email/notices.ts'
import type { StoredEmail } from '../email/stored-email.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { loadAndApplyClosings } from '../transactions/apply-closings.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { type PaymentRow, paymentUrl } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'
import { selectPaymentsById } from './queries.ts'

export function requestEmail(set: PaymentSet, row: PaymentRow): Email {
  return {
    ...addressOf(set, row),
    cause: requestCause(row, row.sends),
    kind: 'payment_request',
    facts: requestFacts(set, row),
  }
}

export function reminderEmail(set: PaymentSet, row: PaymentRow): Email {
  return {
    ...addressOf(set, row),
    cause: reminderCause(row),
    kind: 'payment_reminder',
    facts: requestFacts(set, row),
  }
}

export function receiptEmail(set: PaymentSet, row: PaymentRow): Email {
  const transaction_id = toTypeId('transaction', row.transaction_id!)
  return {
    ...addressOf(set, row),
    cause: receiptCause(row),
    kind: 'payment_receipt',
    facts: { ...factsOf(set, row), paid_at: toIso(row.updated_at), transaction_id },
  }
}

/** To the owner. `cause` is that of the hour: see queueHourlyNotices. */
export function ownerNotice(
  set: PaymentSet,
  row: PaymentRow,
  kind: 'payment_received' | 'payment_failed',
): HourlyNotice {
  const { account_id, amount, currency, customer_email, reference } = row
  const { owner_id, email, name, language, timezone } = accountOf(set, row)
  const envelope = { account_id, user_id: owner_id, to: email, language, timezone, cause: '' }
  const facts = { account_name: name, count: 1, amount, currency, customer_email, reference }
  return { ...envelope, kind, facts }
}

/** Each refund has a separate email, so its id is part of the cause. */
export function refundEmail(context: EmailContext, row: PaymentRow, refund: TransactionRow): Email {
  const { amount } = refund
  return {
    ...addressOf(context, row),
    cause: refundCause(row, refund.id),
    kind: 'payment_refund',
    facts: {
      ...factsOf(context, row),
      amount,
      paid_amount: row.amount,
      refunded_at: toIso(refund.updated_at),
      transaction_id: toTypeId('transaction', refund.id),
    },
  }
}

/** The causes of every email that can exist for the request. */
export function causesOf(row: PaymentRow, refund_ids: string[]): string[] {
  const sends = Array.from({ length: row.sends }, (_, at) => requestCause(row, at + 1))
  const refunds = refund_ids.map((id) => refundCause(row, id))
  return [...sends, reminderCause(row), receiptCause(row), ...refunds]
}

function requestCause({ id }: PaymentRow, send: number): string {
  return `payment_request:${toTypeId('payment', id)}:${send}`
}

function reminderCause({ id }: PaymentRow): string {
  return `payment_reminder:${toTypeId('payment', id)}`
}

function receiptCause({ id }: PaymentRow): string {
  return `payment_receipt:${toTypeId('payment', id)}`
}

function refundCause({ id }: PaymentRow, refund_id: string): string {
  return `payment_refund:${toTypeId('payment', id)}:${toTypeId('transaction', refund_id)}`
}

/** The data that an email needs in addition to its request. */
type EmailContext = Pick<PaymentSet, 'accounts' | 'public_url'>

function addressOf(context: EmailContext, row: PaymentRow) {
  const { language, timezone } = accountOf(context, row)
  return { account_id: row.account_id, to: row.customer_email, language, timezone }
}

function requestFacts(set: PaymentSet, row: PaymentRow) {
  const message = row.message === null ? {} : { message: row.message }
  return { ...factsOf(set, row), expires_at: toIso(row.expires_at), ...message }
}

function factsOf(context: EmailContext, row: PaymentRow) {
  const { amount, currency, reference } = row
  const account_name = accountOf(context, row).name
  return { account_name, amount, currency, reference, url: paymentUrl(row, context.public_url) }
}

function accountOf(context: EmailContext, { account_id }: PaymentRow) {
  const account = context.accounts.get(account_id)
  if (account === undefined) throw new Error(`account ${account_id} was not loaded`)
  return account
}

/**
 * Why this email must no longer be sent; undefined if it may be. An email can be queued for days
 * while the mail server is down, and its request may have been paid, canceled or failed meanwhile.
 */
export async function findSuppressionReason(
  db: Queryable,
  { kind, cause }: Pick<StoredEmail, 'kind' | 'cause'>,
): Promise<string | undefined> {
  if (kind !== 'payment_request' && kind !== 'payment_reminder') return undefined
  const id = findUuid('payment', cause.split(':')[1] ?? '')
  const rows = id === undefined ? [] : await selectPaymentsById(db, [id])
  const [row] = await loadAndApplyClosings(db, rows)
  if (row === undefined || row.status === 'pending') return undefined
  return `The payment request was ${ends[row.status]} before it could be sent.`
}

const ends = { succeeded: 'paid', failed: 'closed', canceled: 'canceled' } as const
