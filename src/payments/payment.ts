// A payment request as a row and as JSON. The JSON text is rendered once and used for the response,
// the event and the stored response of the Idempotency-Key, so all copies are identical.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { reminderTime } from '../primitives/period.ts'
import { toIso } from '../primitives/time.ts'

export type PaymentStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

export interface PaymentRow {
  account_id: string
  id: string
  status: PaymentStatus
  amount: number
  currency: string
  customer_email: string
  /** The secret in the payment link. */
  token: string
  declines: number
  /** The number of stored attempts; null for requests that predate stored attempts. */
  attempts: number | null
  /** How often the link was emailed. Usually the first time at creation. */
  sends: number
  transaction_id: string | null
  expires_at: Date
  /** The time of the reminder, then of the expiry; null once the request has ended. */
  due_at: Date | null
  updated_at: Date
  reference: string | null
  /** JSON text; null is {}. */
  metadata: string | null
  /** To the customer, on the payment page and in emails. */
  message: string | null
  /** How many days before the expiry the customer is reminded; 0: never; null: the default. */
  reminder_days: number | null
  /** The reusable link that the payer used. */
  link_id: string | null
  /** Identifies the submitted form of that link's page. */
  form_key: string | null
}

/** The page where the customer pays. Based on the configured URL, never on the Host header. */
export function paymentUrl(row: { token: string }, public_url: string): string {
  return `${public_url}/pay/${row.token}`
}

/** The form in create responses. */
export function createdJson(row: PaymentRow, public_url: string): string {
  return `${commonJson(row, public_url)}}`
}

/**
 * The form in all other responses and in events. Only a paid request can have refunds, so
 * refunded_amount is 0 except when a request is retrieved or listed.
 */
export function wholeJson(row: PaymentRow, public_url: string, refunded_amount = 0): string {
  const { transaction_id } = row
  const transaction =
    transaction_id === null ? 'null' : `"${toTypeId('transaction', transaction_id)}"`
  return (
    `${commonJson(row, public_url)},"updated_at":"${toIso(row.updated_at)}"` +
    `,"expires_at":"${toIso(row.expires_at)}","transaction_id":${transaction}` +
    `,"refunded_amount":${refunded_amount}}`
  )
}

// Concatenated for speed. The email is escaped although valid addresses contain neither quotes nor
// backslashes: this file must not depend on the rules of email validation.
function commonJson(row: PaymentRow, public_url: string): string {
  return (
    `{"id":"${toTypeId('payment', row.id)}"` +
    `,"account_id":"${toTypeId('account', row.account_id)}"` +
    `,"amount":${row.amount},"currency":"${row.currency}","status":"${row.status}"` +
    `,"customer_email":${JSON.stringify(row.customer_email)}` +
    `,"reference":${referenceJson(row)},"metadata":${row.metadata ?? '{}'}` +
    `,"created_at":"${toIso(timeOfUuid(row.id))}"` +
    `,"payment_url":${JSON.stringify(paymentUrl(row, public_url))}`
  )
}

/** With the options that the contract's form does not have. */
export function optionsJson(row: PaymentRow, public_url: string, refunded_amount = 0): string {
  const { expires_at, reminder_days } = row
  const reminder_at = reminderTime(expires_at, reminder_days, timeOfUuid(row.id))
  return (
    `${wholeJson(row, public_url, refunded_amount).slice(0, -1)}` +
    `,"message":${JSON.stringify(row.message)},"reminder_days":${reminder_days}` +
    `,"reminder_at":${reminder_at === null ? 'null' : `"${toIso(reminder_at)}"`}` +
    `,"sends":${row.sends},"payment_link_id":${linkJson(row)}}`
  )
}

/** The form in responses to status requests. */
export function statusJson(row: PaymentRow): string {
  return (
    `{"id":"${toTypeId('payment', row.id)}","status":"${row.status}","amount":${row.amount}` +
    `,"currency":"${row.currency}","reference":${referenceJson(row)}` +
    `,"updated_at":"${toIso(row.updated_at)}"}`
  )
}

function linkJson({ link_id }: PaymentRow): string {
  return link_id === null ? 'null' : `"${toTypeId('payment_link', link_id)}"`
}

function referenceJson({ reference }: PaymentRow): string {
  return reference === null ? 'null' : JSON.stringify(reference)
}
