// An imported bank statement, as a row and as JSON.

import { continuityError } from '../bank/statements/check-balances.ts'
import type { BankBalance, StatementFormat } from '../bank/statements/statement.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface StatementRow {
  id: string
  /** The IBAN, or another number. */
  bank_account: string
  digest: Buffer
  format: StatementFormat
  bank_id: string | null
  sequence: string | null
  currency: string | null
  opening_amount: number | null
  opening_on: string | null
  closing_amount: number | null
  closing_on: string | null
  entry_count: number
  new_count: number
  pending_count: number
}

/** With the closing balance of the statement before it, if its opening balance differs. */
export interface ListedStatement extends StatementRow {
  previous_amount: number | null
}

interface Balance {
  amount: number
  on: string | null
}

interface BankStatement {
  id: string
  bank_account: string
  format: StatementFormat
  bank_id: string | null
  sequence: string | null
  currency: string | null
  opening_balance: Balance | null
  closing_balance: Balance | null
  entry_count: number
  new_count: number
  pending_count: number
  gap: string | null
  created_at: string
}

export function presentStatement(row: ListedStatement): BankStatement {
  return {
    id: toTypeId('bank_statement', row.id),
    bank_account: row.bank_account,
    format: row.format,
    bank_id: row.bank_id,
    sequence: row.sequence,
    currency: row.currency,
    opening_balance: balance(row.opening_amount, row.opening_on),
    closing_balance: balance(row.closing_amount, row.closing_on),
    entry_count: row.entry_count,
    new_count: row.new_count,
    pending_count: row.pending_count,
    gap: gapBefore(row),
    created_at: toIso(timeOfUuid(row.id)),
  }
}

function balance(amount: number | null, on: string | null): Balance | null {
  return amount === null ? null : { amount, on }
}

/** Why the statement does not continue the one before it. */
function gapBefore({ previous_amount, opening_amount, currency }: ListedStatement): string | null {
  const known = (amount: number | null): BankBalance | null =>
    amount === null || currency === null ? null : { amount, currency, on: null }
  return continuityError(known(previous_amount), known(opening_amount)) ?? null
}
