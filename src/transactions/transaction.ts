// A transaction as a row and as JSON. The JSON text is rendered once and used for the response, the
// event and the stored response of the Idempotency-Key, so all copies are identical.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface TransactionRow {
  account_id: string
  id: string
  status: TransactionStatus
  amount: number
  currency: string
  type: TransactionType
  refund_of: string | null
  due_at: Date | null
  updated_at: Date
  reference: string | null
  /** JSON text; null is {}. */
  metadata: string | null
}

/** The columns that lists show. */
export type ListedRow = Pick<
  TransactionRow,
  'account_id' | 'id' | 'status' | 'amount' | 'currency' | 'type' | 'reference' | 'metadata'
>

/** Which rows a list contains; payment requests use it too. */
export interface RowFilter {
  account_id: string | undefined
  status: TransactionStatus | undefined
  /** Includes or excludes the rows of these accounts. */
  only_account_ids?: string[]
  except_account_ids?: string[]
  first_id: string | undefined
  last_id: string | undefined
}

/** The form in create responses and lists: without updated_at. */
export function listedJson(row: ListedRow): string {
  return `${commonJson(row)}}`
}

/** The form in all other responses and in events. */
export function wholeJson(row: TransactionRow): string {
  return `${commonJson(row)},"updated_at":"${toIso(row.updated_at)}"}`
}

// Concatenated for speed: only reference and metadata are user input that needs escaping.
function commonJson(row: ListedRow): string {
  const reference = row.reference === null ? 'null' : JSON.stringify(row.reference)
  return (
    `{"id":"${toTypeId('transaction', row.id)}"` +
    `,"account_id":"${toTypeId('account', row.account_id)}"` +
    `,"amount":${row.amount},"currency":"${row.currency}","type":"${row.type}"` +
    `,"status":"${row.status}","reference":${reference},"metadata":${row.metadata ?? '{}'}` +
    `,"created_at":"${toIso(timeOfUuid(row.id))}"`
  )
}

/** The response to a cancellation. */
export function canceledJson(row: TransactionRow): string {
  return JSON.stringify({
    id: toTypeId('transaction', row.id),
    status: 'canceled',
    canceled_at: toIso(row.updated_at),
    message: 'The transaction has been canceled. It will not settle.',
  })
}
