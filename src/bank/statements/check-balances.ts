// Balances of statements: within one, and from one to the next.

import { minorDigits } from '../../primitives/currencies.ts'
import { decimalText } from '../../primitives/money.ts'
import type {
  BankBalance,
  BankEntry,
  StatementEnd,
  StatementPart,
  StatementStart,
} from './statement.ts'

export interface BankStatement extends StatementStart, StatementEnd {
  currency: string | null
  entries: BankEntry[]
}

/** The statements of a file, with their entries in memory. */
export async function collectStatements(
  parts: AsyncIterable<StatementPart>,
): Promise<BankStatement[]> {
  const statements: BankStatement[] = []
  let start: StatementStart | undefined
  let entries: BankEntry[] = []
  for await (const { kind, ...part } of parts) {
    if (kind === 'start') start = part as StatementStart
    else if (kind === 'entry') entries.push(part as BankEntry)
    else {
      statements.push({ ...start!, ...(part as StatementEnd), entries })
      entries = []
    }
  }
  return statements
}

/** Why opening balance and entries do not give the closing balance. Undefined if unknown. */
export function balanceError(statement: StatementEnd): string | undefined {
  const { opening, closing, booked_sum, difference } = statement
  if (opening === null || closing === null || difference === null || difference === 0) {
    return undefined
  }
  const text = (amount: number) => decimalText(amount, minorDigits(closing.currency))
  const expected = text(opening.amount + booked_sum)
  return (
    `The opening balance and all entries must add up to the closing balance: ` +
    `${text(opening.amount)} + ${text(booked_sum)} = ${expected}, got ${text(closing.amount)} ` +
    `${closing.currency}. The file may be incomplete. Export the statement again.`
  )
}

/** Why a statement does not continue the previous one. Undefined if it does, or if unknown. */
export function continuityError(
  previous: BankBalance | null,
  opening: BankBalance | null,
): string | undefined {
  if (previous === null || opening === null) return undefined
  if (previous.amount === opening.amount && previous.currency === opening.currency) return undefined
  const text = ({ amount, currency }: BankBalance) =>
    `${decimalText(amount, minorDigits(currency))} ${currency}`
  return (
    `The opening balance must be ${text(previous)}, the closing balance of the previous ` +
    `statement; got ${text(opening)}. A statement between them may be missing: import it, too.`
  )
}
