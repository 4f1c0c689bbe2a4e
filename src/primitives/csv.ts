// CSV according to RFC 4180, safe to open in a spreadsheet.

import { decimalText } from './amount-text.ts'
import { minorDigits } from './currencies.ts'

/** A formatted number, such as 336.00. It is neither quoted nor escaped. */
export interface CsvNumber {
  number_text: string
}

/** With the minor digits of the currency: 33600 USD is 336.00, -5 JPY is -5. */
export function csvAmount(amount: number, currency: string): CsvNumber {
  return { number_text: decimalText(amount, minorDigits(currency)) }
}

type CsvValue = string | number | CsvNumber | null

/** One record with its line end. null becomes an empty field. */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return value.number_text
  const text = escapeFormulas(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet evaluates a text that starts like this as a formula. Some also accept the
// full-width forms. A leading apostrophe prevents that.
const formula = /^[=+\-@\t\r\n＝＋－＠]/

// Where the comma is the decimal separator, spreadsheets split at semicolons and honor quotes only
// at the start of a cell. A semicolon or line end within a field then starts a new cell, quoted or
// not. A comma never does, because a field that contains one is quoted.
const inner_formula = /[;\t\r\n](?="*[=+\-@\t＝＋－＠])/g

function escapeFormulas(text: string): string {
  const inside = text.replace(inner_formula, "$&'")
  return formula.test(inside) ? `'${inside}` : inside
}
