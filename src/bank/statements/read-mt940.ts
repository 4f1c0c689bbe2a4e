// MT940 of SWIFT: statements as lines of tagged fields.

import { findIban } from '../iban.ts'
import {
  BankFileError,
  type BankFilePosition,
  invalid,
  malformed,
  missing,
} from './bank-file-error.ts'
import { readDetails } from './mt940-details.ts'
import { cleanText, readAmount, readCurrency, readDay, readReference } from './read-values.ts'
import {
  type BankBalance,
  bareTransaction,
  type Direction,
  type StatementAccount,
} from './statement.ts'
import { addsUp, type DraftEntry, type DraftPart, StatementBuilder } from './statement-builder.ts'
import type { Line } from './text-line.ts'

export async function* readMt940(lines: AsyncIterable<Line>): AsyncGenerator<DraftPart> {
  const file = new Mt940File()
  let count = 0
  for await (const field of readFields(lines)) {
    count += 1
    yield* file.take(field)
  }
  yield* file.endStatement()
  if (count === 0) throw missing({ line: 1 }, 'the field :20: of MT940')
}

interface Field {
  /** Such as 61 or 60F, or `-` for the end of a message. */
  tag: string
  /** The first line without the tag, and the lines that follow. */
  lines: string[]
  position: BankFilePosition
}

const fieldStart = /^:([0-9]{2}[A-Z]?|NS):(.*)$/

// Six lines are allowed. Some banks write more; what follows these is ignored.
const field_lines_max = 100

/** Lines outside of messages, such as the headers of SWIFT, are skipped. */
async function* readFields(lines: AsyncIterable<Line>): AsyncGenerator<Field> {
  let field: Field | undefined
  for await (const { text, line } of lines) {
    const written = text.replace(/^\{.*\{4:/, '')
    const [, tag, rest] = fieldStart.exec(written) ?? []
    const is_end = /^-(?:\}|\s*$)/.test(written)
    if (tag === undefined && !is_end) {
      if (field !== undefined && field.lines.length < field_lines_max) field.lines.push(written)
      continue
    }
    if (field !== undefined) yield field
    field = undefined
    if (is_end) yield { tag: '-', lines: [], position: { line } }
    else field = { tag: tag!, lines: [rest!], position: { line, at: `:${tag}:` } }
  }
  if (field !== undefined) yield field
}

interface StatementInProgress {
  builder: StatementBuilder
  position: BankFilePosition
  opening: BankBalance | null
  closing: BankBalance | null
}

class Mt940File {
  #statement: StatementInProgress | undefined
  /** Waits for its field :86:. */
  #entry: DraftEntry | undefined;

  *take({ tag, lines, position }: Field): Generator<DraftPart> {
    if (tag === '20') {
      yield* this.endStatement()
      this.#begin(lines[0]!, position)
    } else if (tag === '-') {
      yield* this.endStatement()
    } else if (this.#statement === undefined) {
      throw malformed(position, 'a statement must start with :20:')
    } else {
      yield* this.#read(this.#statement, tag, lines, position)
    }
  }

  *endStatement(): Generator<DraftPart> {
    if (this.#statement === undefined) return
    yield* this.#endEntry()
    const { builder, position, closing } = this.#statement
    this.#statement = undefined
    if (closing === null) throw missing(position, 'the closing balance in :62F:')
    yield* builder.end()
  }

  #begin(reference: string, position: BankFilePosition): void {
    const builder = new StatementBuilder('mt940', position.line)
    builder.start.id = readReference(reference)
    this.#statement = { builder, position, opening: null, closing: null }
  }

  *#read(
    statement: StatementInProgress,
    tag: string,
    lines: string[],
    position: BankFilePosition,
  ): Generator<DraftPart> {
    const { start } = statement.builder
    const [first = ''] = lines
    if (tag === '25' || tag === '25P') {
      start.account = readStatementAccount(first)
    } else if (tag === '28' || tag === '28C') {
      start.sequence = cleanText(first)
    } else if (/^6[02][FM]$/.test(tag)) {
      yield* this.#readBalance(statement, tag, first, position)
    } else if (tag === '61') {
      yield* this.#endEntry()
      this.#entry = readEntry(lines, requireOpening(statement, position), position)
    } else if (tag === '86' && this.#entry !== undefined) {
      addDetails(this.#entry, lines)
      yield* this.#endEntry()
    }
  }

  *#readBalance(
    statement: StatementInProgress,
    tag: string,
    text: string,
    position: BankFilePosition,
  ): Generator<DraftPart> {
    yield* this.#endEntry()
    const which = tag.startsWith('60') ? 'opening' : 'closing'
    if (statement[which] !== null) throw malformed(position, `:${tag}: occurs twice in a statement`)
    statement[which] = readBalance(text, position)
    statement.builder.setBalances(statement.opening, statement.closing)
  }

  *#endEntry(): Generator<DraftPart> {
    const entry = this.#entry
    this.#entry = undefined
    if (entry !== undefined) yield* this.#statement!.builder.add(entry)
  }
}

function requireOpening(statement: StatementInProgress, position: BankFilePosition): BankBalance {
  if (statement.closing !== null) {
    throw malformed(position, 'an entry must not follow the closing balance')
  }
  if (statement.opening !== null) return statement.opening
  const problem = 'the opening balance in :60F: is missing before the first entry'
  const advice = 'Export an MT940 statement. MT942 reports have no balances.'
  throw new BankFileError('missing_value', position, problem, advice)
}

/** An IBAN, a BIC or bank code and a number, and sometimes the currency. */
function readStatementAccount(text: string): StatementAccount {
  for (const part of [text, ...text.split(/[/ ]/), text.replace(/[A-Z]{3}$/, '')]) {
    const iban = findIban(part)
    if (iban !== undefined) return { iban, number: null }
  }
  return { iban: null, number: cleanText(text) }
}

const balanceShape = /^([CD])([0-9]{2})([0-9]{2})([0-9]{2})([A-Z]{3})([0-9]+(?:,[0-9]*)?)\s*$/

function readBalance(text: string, position: BankFilePosition): BankBalance {
  const [, mark, year, month, day, code, decimal] = balanceShape.exec(text) ?? []
  if (mark === undefined) {
    const rule = 'a balance must have the form C or D, YYMMDD, currency, amount with a comma'
    throw invalid(position, rule, text)
  }
  const currency = readCurrency(code!, position)
  const amount = readAmount(decimal!.replace(',', '.'), currency, position)
  const on = readDay(fullYear(year!), month!, day!, position, text)
  return { amount: mark === 'C' || amount === 0 ? amount : -amount, currency, on }
}

function fullYear(two_digits: string): number {
  return Number(two_digits) + (Number(two_digits) < 80 ? 2000 : 1900)
}

// Value date, entry date, mark, third character of the currency, amount, type, references.
const entryShape = new RegExp(
  '^([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{4})?(RC|RD|EC|ED|C|D)([A-Z])?' +
    '([0-9]+(?:,[0-9]*)?)([A-Z][A-Z0-9]{3})(.*)$',
)

// A reversed credit takes money, and a reversed debit brings it back. EC and ED are expected.
const directions: Record<string, Direction> = {
  C: 'credit',
  D: 'debit',
  RC: 'debit',
  RD: 'credit',
  EC: 'credit',
  ED: 'debit',
}

function readEntry(lines: string[], opening: BankBalance, position: BankFilePosition): DraftEntry {
  const [text = '', ...supplementary] = lines
  const found = entryShape.exec(text)
  if (found === null) {
    const rule = 'an entry must have the form YYMMDD, MMDD, C or D, amount with a comma, type'
    throw invalid(position, rule, text)
  }
  const [, year, month, day, entry_day, mark, , decimal, , references] = found
  const { currency } = opening
  const amount = readAmount(decimal!.replace(',', '.'), currency, position)
  const money = { amount, currency, direction: directions[mark!]! }
  const value_on = readDay(fullYear(year!), month!, day!, position, text)
  const [customer_reference, bank_reference] = splitReferences(references!)
  return {
    ...money,
    is_booked: !mark!.startsWith('E'),
    is_reversal: mark!.startsWith('R'),
    booked_on: entry_day === undefined ? value_on : readEntryDay(entry_day, value_on, position),
    value_on,
    bank_reference: readReference(bank_reference),
    description: cleanText(supplementary.join(' ')),
    transactions: [{ ...bareTransaction(money), end_to_end_id: readReference(customer_reference) }],
    is_complete: true,
    line: position.line,
  }
}

function splitReferences(text: string): [string, string | undefined] {
  const at = text.indexOf('//')
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 2)]
}

/** MMDD in the year in which it is closest to the value date: they differ around new year. */
function readEntryDay(text: string, value_on: string, position: BankFilePosition): string {
  const [month, day] = [text.slice(0, 2), text.slice(2)]
  const value_ms = Date.parse(value_on)
  const year = Number(value_on.slice(0, 4))
  const distance = (of: number) => Math.abs(Date.UTC(of, Number(month) - 1, Number(day)) - value_ms)
  const [nearest] = [year, year - 1, year + 1].sort((one, other) => distance(one) - distance(other))
  return readDay(nearest!, month, day, position, text)
}

function addDetails(entry: DraftEntry, lines: string[]): void {
  const { description, ...details } = readDetails(lines)
  const [transaction] = entry.transactions
  const end_to_end_id = details.end_to_end_id ?? transaction!.end_to_end_id
  entry.description = description ?? entry.description
  entry.transactions = [{ ...transaction!, ...details, end_to_end_id }]
  entry.is_complete = addsUp(entry, entry.transactions, 1)
}
