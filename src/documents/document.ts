// A receipt or a credit note as a row and as JSON.

import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export type DocumentType = 'receipt' | 'credit_note'

/** What a document states. It is written once. */
export interface DocumentRow {
  account_id: string
  /** Without gaps within the account, over both types. */
  number: number
  id: string
  type: DocumentType
  payment_id: string
  /** The payment of a receipt, the refund of a credit note. */
  transaction_id: string
  /** On a credit note: the number of the receipt of the payment. */
  receipt_number: number | null
  amount: number
  currency: string
  customer_email: string
  reference: string | null
  issued_at: Date
  /** JSON text of DocumentFacts. */
  facts: string
}

/** What else the PDF file shows, as it was when the document was issued. */
export interface DocumentFacts {
  seller: { name: string; email: string; phone: string | null; website: string | null }
  paid_at: string
  paid_amount: number
  /** Only on a credit note. */
  refunded_at: string | null
  /** The BCP 47 tag and the time zone of the account. */
  language: string
  timezone: string
  sandbox: boolean
}

export function presentDocument(row: DocumentRow) {
  return {
    id: toTypeId('document', row.id),
    account_id: toTypeId('account', row.account_id),
    type: row.type,
    number: row.number,
    receipt_number: row.receipt_number,
    payment_id: toTypeId('payment', row.payment_id),
    transaction_id: toTypeId('transaction', row.transaction_id),
    amount: row.amount,
    currency: row.currency,
    customer_email: row.customer_email,
    reference: row.reference,
    created_at: toIso(row.issued_at),
  }
}

export type Document = ReturnType<typeof presentDocument>

/** Such as `receipt-12.pdf`. */
export function fileNameOf({ type, number }: DocumentRow): string {
  return `${type.replace('_', '-')}-${number}.pdf`
}
