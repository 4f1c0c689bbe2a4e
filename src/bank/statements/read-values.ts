// Values in bank files: amounts, dates, currencies and texts.

import { isCurrency, minorDigits } from '../../primitives/currencies.ts'
import { cutText } from '../../primitives/text.ts'
import { findIban } from '../iban.ts'
import { type BankFilePosition, invalid } from './bank-file-error.ts'

const decimalShape = /^([+-]?)([0-9]*)(?:[.]([0-9]*))?$/

/**
 * Signed minor units of a decimal number with a point: "12.5" EUR is 1250. Digits beyond those of
 * the currency must be zeros. Never goes through a floating-point number.
 */
export function readAmount(text: string, currency: string, position: BankFilePosition): number {
  const digits = minorDigits(currency)
  const [, sign, whole = '', fraction = ''] = decimalShape.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') {
    throw invalid(position, 'an amount must be a decimal number', text)
  }
  if (/[1-9]/.test(fraction.slice(digits))) {
    const rule = `an amount in ${currency} must have at most ${digits} decimal digits`
    throw invalid(position, rule, text)
  }
  const amount = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) {
    throw invalid(position, 'an amount must have at most 15 digits', text)
  }
  // Not -0.
  return sign === '-' && amount !== 0 ? -amount : amount
}

export function readCurrency(text: string, position: BankFilePosition): string {
  const code = text.trim()
  if (!isCurrency(code)) {
    throw invalid(position, 'a currency must be a code of ISO 4217, such as EUR', text)
  }
  return code
}

/** YYYY-MM-DD, if this day exists. */
export function readDay(
  year: string | number,
  month: string | number,
  day: string | number,
  position: BankFilePosition,
  written: string,
): string {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const date = new Date(Date.UTC(y, m - 1, d))
  const exists = y >= 1900 && y <= 9999 && date.getUTCMonth() === m - 1 && date.getUTCDate() === d
  if (!exists) throw invalid(position, 'a date must exist in the calendar', written)
  return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}

// Longer than any format allows, and short enough for an index.
const text_length_max = 2_000

/**
 * A text of the file on one line, for storage and matching: without control characters and
 * repeated spaces. Null if nothing is left.
 */
export function cleanText(text: string | undefined | null): string | null {
  if (text === undefined || text === null) return null
  const plain = text.toWellFormed().replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
  return cutText(plain.trim(), text_length_max).trimEnd() || null
}

/** The texts that are present, joined by a space. */
export function joinTexts(texts: readonly (string | null | undefined)[]): string | null {
  return cleanText(texts.filter((text) => text).join(' '))
}

/** Banks also print numbers of other kinds where an IBAN is expected. They are kept as written. */
export function readAccount(text: string | undefined | null): {
  iban: string | null
  number: string | null
} {
  const number = cleanText(text)
  if (number === null) return { iban: null, number: null }
  const iban = findIban(number)
  return iban === undefined ? { iban: null, number } : { iban, number: null }
}

/** A reference, unless it is a placeholder: `NOTPROVIDED`, `NONREF`. */
export function readReference(text: string | undefined | null): string | null {
  const reference = cleanText(text)
  return reference === null || /^(NOT ?PROVIDED|NONREF|NOREF)$/i.test(reference) ? null : reference
}
