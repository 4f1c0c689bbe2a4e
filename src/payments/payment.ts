// A payment request, as kept and as shown. Shown is text: it is answered, stored as an event and
// kept for its Idempotency-Key, so it is rendered once and every copy is the same to the byte.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export type PaymentStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

export interface PaymentRow {
  account_id: string
  id: string
  status: PaymentStatus
  amount: number
  currency: string
  customer_email: string
  /** The secret in the link. */
  token: string
  declines: number
  /** How many attempts are stored; null for a request from before they were. */
  attempts: number | null
  /** How often the link was mailed; the first time at creation. */
  sends: number
  transaction_id: string | null
  expires_at: Date
  /** When the worker must look at it next; null once it has ended. */
  due_at: Date | null
  updated_at: Date
  reference: string | null
  /** JSON text; null is {}. */
  metadata: string | null
}

/** The page where the customer pays: under the address that customers see, never under Host. */
export function paymentUrl(row: { token: string }, public_url: string): string {
  return `${public_url}/pay/${row.token}`
}

/** As created. */
export function createdJson(row: PaymentRow, public_url: string): string {
  return `${commonJson(row, public_url)}}`
}

/**
 * As retrieved, listed, canceled, sent, settled, and in events. Only a paid request can have
 * refunds, so everything but a later look at it shows 0.
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

// Written by hand: the other values are ours and need no escaping. An email does: the grammar of
// addresses has no quotation mark and no backslash, but that is for another file to change.
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

/** The answer to a look at the status. */
export function statusJson(row: PaymentRow): string {
  return (
    `{"id":"${toTypeId('payment', row.id)}","status":"${row.status}","amount":${row.amount}` +
    `,"currency":"${row.currency}","reference":${referenceJson(row)}` +
    `,"updated_at":"${toIso(row.updated_at)}"}`
  )
}

function referenceJson({ reference }: PaymentRow): string {
  return reference === null ? 'null' : JSON.stringify(reference)
}
