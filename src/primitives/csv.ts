// CSV as RFC 4180 has it, safe to open in a spreadsheet.

import { decimalText } from './amount-text.ts'
import { minorDigits } from './currencies.ts'

/** A number that is already written out, such as 336.00: it is neither quoted nor defused. */
export interface CsvNumber {
  number_text: string
}

/** In the currency's own digits: 33600 USD is 336.00, -5 JPY is -5. */
export function csvAmount(amount: number, currency: string): CsvNumber {
  return { number_text: decimalText(amount, minorDigits(currency)) }
}

type CsvValue = string | number | CsvNumber | null

/** One record with its line end. Numbers stay numbers; null is an empty field. */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return value.number_text
  const text = defuse(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet takes a text that begins like this for a formula, and some take the full-width
// forms for the plain ones. An apostrophe before it makes it text again.
const formula = /^[=+\-@\t\r\n＝＋－＠]/

// Where the comma is the decimal sign, spreadsheets separate by semicolons, and read quotes only at
// the beginning of a cell: then a semicolon or a line end in the midst of a field begins a new one,
// quoted or not. A comma never does, because a field that has one is quoted.
const inner_formula = /[;\t\r\n](?="*[=+\-@\t＝＋－＠])/g

function defuse(text: string): string {
  const inside = text.replace(inner_formula, "$&'")
  return formula.test(inside) ? `'${inside}` : inside
}
