// A transaction, as kept and as shown. Shown is text: it is answered, stored as an event and kept
// for its Idempotency-Key, so it is rendered once and every copy is the same to the byte.

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

/** What a list shows of it. */
export type ListedRow = Pick<
  TransactionRow,
  'account_id' | 'id' | 'status' | 'amount' | 'currency' | 'type' | 'reference' | 'metadata'
>

/** Which rows a list contains; payment requests use it too. */
export interface RowFilter {
  account_id: string | undefined
  status: TransactionStatus | undefined
  /** Only rows of these accounts, or none of them. */
  only_account_ids?: string[]
  except_account_ids?: string[]
  first_id: string | undefined
  last_id: string | undefined
}

/** As created and in lists: without updated_at. */
export function listedJson(row: ListedRow): string {
  return `${commonJson(row)}}`
}

/** As retrieved, updated, settled, and in events. */
export function wholeJson(row: TransactionRow): string {
  return `${commonJson(row)},"updated_at":"${toIso(row.updated_at)}"}`
}

// Written by hand: every value but reference and metadata is ours and needs no escaping.
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

/** The answer to a cancellation. */
export function canceledJson(row: TransactionRow): string {
  return JSON.stringify({
    id: toTypeId('transaction', row.id),
    status: 'canceled',
    canceled_at: toIso(row.updated_at),
    message: 'The transaction has been canceled. Its money will not settle.',
  })
}
