// A line of a statement, as JSON and as CSV: what one posting did to the available balance, and to
// which transaction it belongs.

import { effectOn } from '../ledger/posting-rules.ts'
import type { StatementPosting } from '../ledger/statement-postings.ts'
import { csvRecord } from '../primitives/csv.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import type { TransactionRow } from './transaction.ts'

export interface StatementLine {
  sequence: number
  created_at: string
  transaction_id: string
  type: TransactionRow['type']
  status: TransactionRow['status']
  reference: string | null
  amount: number
  available_after: number
}

/** Status and reference are the transaction's own, as they are now. */
export function statementLine(
  posting: StatementPosting,
  { type, status, reference }: Pick<TransactionRow, 'type' | 'status' | 'reference'>,
): StatementLine {
  return {
    sequence: posting.sequence,
    created_at: toIso(posting.at),
    transaction_id: toTypeId('transaction', posting.transaction_id),
    type,
    status,
    reference,
    amount: effectOn('available', posting.movement) * posting.amount,
    available_after: posting.available_after,
  }
}

const columns = [
  'sequence',
  'created_at',
  'transaction_id',
  'type',
  'status',
  'reference',
  'amount',
  'available_after',
] as const satisfies (keyof StatementLine)[]

export const statementHeader = csvRecord(columns)

export function statementRecord(line: StatementLine): string {
  return csvRecord(columns.map((name) => line[name]))
}
