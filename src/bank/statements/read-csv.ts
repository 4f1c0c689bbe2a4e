// CSV exports of banks, with a saved column map.

import { nearestName, quote } from '../../primitives/text.ts'
import { BankFileError, type BankFilePosition, invalid, missing } from './bank-file-error.ts'
import {
  type Column,
  type ColumnMap,
  columnsOf,
  dateShape,
  requireColumnMap,
} from './column-map.ts'
import { type CsvRecord, readRecords } from './csv-records.ts'
import {
  cleanText,
  joinTexts,
  readAccount,
  readAmount,
  readCurrency,
  readDay,
  readReference,
} from './read-values.ts'
import { bareTransaction } from './statement.ts'
import {
  type DraftEntry,
  type DraftPart,
  StatementBuilder,
  splitSign,
} from './statement-builder.ts'
import type { Line } from './text-line.ts'

export async function* readCsv(
  lines: AsyncIterable<Line>,
  map: ColumnMap,
): AsyncGenerator<DraftPart> {
  requireColumnMap(map)
  const builder = new StatementBuilder('csv', 1)
  builder.start.account = readAccount(map.account)
  builder.start.currency = map.currency
  const rows = new RowReader(map)
  for await (const record of readRecords(skipLines(lines, map.skipped_lines), map.delimiter)) {
    const entry = rows.take(record)
    if (entry !== undefined) yield* builder.add(entry)
  }
  rows.end()
  yield* builder.end()
}

async function* skipLines(lines: AsyncIterable<Line>, count: number): AsyncGenerator<Line> {
  for await (const line of lines) if (line.line > count) yield line
}

// Banks write a few lines about the account before the header.
const header_line_max = 50

class RowReader {
  readonly #map: ColumnMap
  readonly #names: string[]
  readonly #date: RegExp
  /** The names in the header, or undefined until it is found. */
  #header: Map<string, number> | undefined
  #first: CsvRecord | undefined

  constructor(map: ColumnMap) {
    this.#map = map
    this.#names = columnsOf(map).filter((column) => typeof column === 'string')
    this.#date = dateShape(map.date_format)
    if (this.#names.length === 0) this.#header = new Map()
  }

  /** The entry of a row. Undefined for the header, and rows without date and amount. */
  take(record: CsvRecord): DraftEntry | undefined {
    if (record.fields.every((field) => field.trim() === '')) return undefined
    if (this.#header !== undefined) return this.#read(record)
    this.#findHeader(record)
    return undefined
  }

  /** Throws if no header was found. */
  end(): void {
    if (this.#header === undefined) throw this.#noHeader()
  }

  #findHeader(record: CsvRecord): void {
    this.#first ??= record
    const header = new Map(record.fields.map((name, at) => [nameKey(name), at] as const))
    const known = (one: CsvRecord) =>
      this.#names.filter((name) => one.fields.map(nameKey).includes(nameKey(name))).length
    if (this.#names.every((name) => header.has(nameKey(name)))) this.#header = header
    else if (known(record) > known(this.#first)) this.#first = record
    if (this.#header === undefined && record.line >= header_line_max) throw this.#noHeader()
  }

  /** Names the row that is most like the header. */
  #noHeader(): BankFileError {
    const { fields, line } = this.#first ?? { fields: [], line: 1 }
    const name = this.#names.find((one) => !fields.map(nameKey).includes(nameKey(one)))!
    const received = quote(fields.join(this.#map.delimiter))
    const problem = `no row has the column ${quote(name)}; got ${received}`
    const similar = nearestName(name, fields)
    const advice = similar === undefined ? '' : `Did you mean ${quote(similar)}? `
    const other = 'Correct "columns", "delimiter" or "encoding" of the column map.'
    return new BankFileError('column_map', { line }, problem, advice + other)
  }

  #read(record: CsvRecord): DraftEntry | undefined {
    const { columns } = this.#map
    const cell = (column: Column | undefined) => this.#cell(record, column)
    const amounts = [columns.amount, columns.credit, columns.debit].map(cell)
    const date = cell(columns.booked_on)
    if (date === '' && amounts.every((text) => text === '')) return undefined
    const booked_on = this.#readDate(record, columns.booked_on)
    if (booked_on === null) throw missing(this.#position(record, columns.booked_on), 'the date')
    const code = cell(columns.currency)
    const currency =
      code === ''
        ? this.#map.currency
        : readCurrency(code, this.#position(record, columns.currency))
    const money = { ...splitSign(this.#readSigned(record, currency)), currency }
    const account = readAccount(cell(columns.counterparty_account))
    return {
      ...money,
      is_booked: true,
      is_reversal: false,
      booked_on,
      value_on: this.#readDate(record, columns.value_on) ?? booked_on,
      bank_reference: readReference(cell(columns.bank_reference)),
      description: cleanText(cell(columns.description)),
      transactions: [
        {
          ...bareTransaction(money),
          end_to_end_id: readReference(cell(columns.end_to_end_id)),
          counterparty_name: cleanText(cell(columns.counterparty_name)),
          counterparty_iban: account.iban,
          counterparty_number: account.number,
          remittance: joinTexts((columns.remittance ?? []).map(cell)),
        },
      ],
      is_complete: true,
      line: record.line,
    }
  }

  /** Empty if the map does not have the column. */
  #cell(record: CsvRecord, column: Column | undefined): string {
    if (column === undefined) return ''
    const at = typeof column === 'number' ? column - 1 : this.#header!.get(nameKey(column))!
    const text = record.fields[at]
    if (text !== undefined) return text.trim()
    const count = record.fields.length
    const problem = `the row has ${count} columns, but the map needs column ${at + 1}`
    const advice = 'Remove lines that are not entries, or correct the column map.'
    throw new BankFileError('column_map', { line: record.line }, problem, advice)
  }

  #position(record: CsvRecord, column: Column | undefined): BankFilePosition {
    return {
      line: record.line,
      at: `column ${typeof column === 'string' ? quote(column) : column}`,
    }
  }

  #readDate(record: CsvRecord, column: Column | undefined): string | null {
    const text = this.#cell(record, column)
    if (text === '') return null
    const position = this.#position(record, column)
    const groups = this.#date.exec(text)?.groups
    if (groups === undefined) {
      throw invalid(position, `a date must have the form ${this.#map.date_format}`, text)
    }
    const { year, month, day } = groups as Record<'year' | 'month' | 'day', string>
    return readDay(year.length === 2 ? `20${year}` : year, month, day, position, text)
  }

  #readSigned(record: CsvRecord, currency: string): number {
    const { amount, credit, debit, direction } = this.#map.columns
    const read = (column: Column | undefined) => this.#readAmount(record, column, currency)
    if (amount === undefined) {
      const [brought, taken] = [Math.abs(read(credit) ?? 0), Math.abs(read(debit) ?? 0)]
      if (brought === 0 || taken === 0) return brought - taken
      const text = `${this.#cell(record, credit)} and ${this.#cell(record, debit)}`
      throw invalid(this.#position(record, credit), 'credit and debit exclude each other', text)
    }
    const signed = read(amount)
    if (signed === undefined) throw missing(this.#position(record, amount), 'the amount')
    if (direction === undefined) return signed
    const mark = this.#cell(record, direction.column)
    if (mark === direction.credit) return Math.abs(signed)
    if (mark === direction.debit) return signed === 0 ? 0 : -Math.abs(signed)
    const rule = `must be ${quote(direction.credit)} or ${quote(direction.debit)}`
    throw invalid(this.#position(record, direction.column), rule, mark)
  }

  #readAmount(record: CsvRecord, column: Column | undefined, currency: string): number | undefined {
    const text = this.#cell(record, column)
    if (text === '') return undefined
    const position = this.#position(record, column)
    const decimal = plainDecimal(text, this.#map.decimal_sign)
    if (decimal === undefined) {
      const example = this.#map.decimal_sign === ',' ? '1.234,56' : '1,234.56'
      throw invalid(position, `an amount must be a number such as ${example}`, text)
    }
    return readAmount(decimal, currency, position)
  }
}

function nameKey(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}

const names = /^(?:[A-Z]{3}|\p{Sc})|(?:[A-Z]{3}|\p{Sc})$/gu

/**
 * "-1.234,56 EUR" and "1.234,56-" with a decimal comma are "-1234.56". Thousands are grouped by
 * three or not at all: "1.23" with a decimal comma is not a number, rather than 123.
 */
function plainDecimal(text: string, decimal_sign: ',' | '.'): string | undefined {
  const number = text.replace(names, '').trim()
  const unsigned = /^\((.*)\)$/.exec(number)
  const written = unsigned === null ? number : `-${unsigned[1]}`
  const plain = written.replace(/[\s\u00a0\u202f'’]/g, '').replace('\u2212', '-')
  const [group, decimal] = decimal_sign === ',' ? ['\\.', ','] : [',', '\\.']
  const shape = `^([+-]?)([0-9]+|[0-9]{1,3}(?:${group}[0-9]{3})+)?(?:${decimal}([0-9]*))?([+-]?)$`
  const [, before, whole = '', fraction = '', after] = new RegExp(shape).exec(plain) ?? []
  if (before === undefined || (before !== '' && after !== '') || whole + fraction === '') {
    return undefined
  }
  return `${before || after}${whole.replace(/[.,]/g, '')}.${fraction}`
}
