// A statement line, as JSON and as CSV: one posting's effect on the available balance, and the
// transaction, transfer or payout it belongs to.

import { effectOn, type Movement } from '../ledger/posting-rules.ts'
import type { StatementPosting } from '../ledger/statement-postings.ts'
import { csvAmount } from '../primitives/money.ts'
import { csvRecord } from '../primitives/text.ts'
import { toIso, toLocalIso } from '../primitives/time.ts'
import type { TransactionRow } from './transaction.ts'

export interface StatementLine {
  sequence: number
  created_at: string
  transaction_id: string
  type: LineType
  status: TransactionRow['status']
  reference: string | null
  amount: number
  available_after: number
}

export const lineTypes = [
  'payment',
  'credit',
  'refund',
  'fee',
  'dispute',
  'transfer',
  'overdraw',
  'repay',
  'payout',
] as const

type LineType = (typeof lineTypes)[number]

/** Other movements, and transfers between accounts, have the type of their cause. */
const typeOfMovement: Partial<Record<Movement, LineType>> = {
  fee: 'fee',
  withdraw: 'dispute',
  reinstate: 'dispute',
  overdraw: 'overdraw',
  repay: 'repay',
}

/** What moved the money. Its status and reference are the current ones. */
export interface Cause {
  /** Of the transaction, or of another object that moves money. */
  id: string
  type: TransactionRow['type'] | 'transfer' | 'payout'
  status: TransactionRow['status']
  reference: string | null
}

export function statementLine(
  posting: StatementPosting,
  { id, type, status, reference }: Cause,
): StatementLine {
  const { movement } = posting
  const is_debt = movement === 'overdraw' || movement === 'repay'
  const of_movement = type !== 'transfer' || is_debt ? typeOfMovement[movement] : undefined
  return {
    sequence: posting.sequence,
    created_at: toIso(posting.at),
    transaction_id: id,
    type: of_movement ?? type,
    status,
    reference,
    amount: effectOn('available', movement) * posting.amount,
    available_after: posting.available_after,
  }
}

export const statementHeader = csvRecord([
  'sequence',
  'created_at',
  'created_at_local',
  'transaction_id',
  'type',
  'status',
  'reference',
  'customer_email',
  'currency',
  'amount',
  'available_after',
])

/** The additional columns of a CSV file, which is read without access to the account. */
interface RecordContext {
  currency: string
  timezone: string
  customer_email: string | null
}

export function statementRecord(line: StatementLine, context: RecordContext): string {
  const { currency, timezone, customer_email } = context
  return csvRecord([
    line.sequence,
    line.created_at,
    toLocalIso(line.created_at, timezone),
    line.transaction_id,
    line.type,
    line.status,
    line.reference,
    customer_email,
    currency,
    csvAmount(line.amount, currency),
    csvAmount(line.available_after, currency),
  ])
}
