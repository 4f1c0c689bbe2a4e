// Money is an integer number of minor units, in JavaScript as in JSON. Doubles are exact up to
// 2^53 − 1, so within both limits no sum is rounded.

import { minorDigits } from './currencies.ts'
import type { CsvNumber } from './text.ts'

// 9,999,999,999.99 in a currency with two minor digits: more than a card charge or bank transfer
// moves, and nine thousand of them fit into a balance.
export const amount_max = 999_999_999_999

export const balance_max = Number.MAX_SAFE_INTEGER

/** Whether a JSON number is a valid amount. 0 and -0 are not. */
export function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= amount_max
}

/** 7500 USD in English is "$75.00"; 7500 JPY in Japanese is "￥7,500". */
export function amountText(amount: number, currency: string, language: string): string {
  return formatFor(currency, language).format(decimalText(amount, minorDigits(currency)) as never)
}

/** The parts of the same text. */
export function amountParts(
  amount: number,
  currency: string,
  language: string,
): Intl.NumberFormatPart[] {
  const text = decimalText(amount, minorDigits(currency))
  return formatFor(currency, language).formatToParts(text as never)
}

const formats = new Map<string, Intl.NumberFormat>()

// Creating a format takes a hundred times as long as using one. Callers choose the language, so the
// cache is bounded: when it is full, it is cleared.
const formats_max = 1_000

function formatFor(currency: string, language: string): Intl.NumberFormat {
  const name = `${language} ${currency}`
  const known = formats.get(name)
  if (known !== undefined) return known
  // The digits that Intl uses differ from ISO 4217 for 16 currencies.
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat([language, 'en'], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (formats.size >= formats_max) formats.clear()
  formats.set(name, format)
  return format
}

/** 7500 with two digits is "75.00". Exact, because a division would round to a binary fraction. */
export function decimalText(amount: number, digits: number): string {
  if (digits === 0) return String(amount)
  if (amount < 0) return `-${decimalText(-amount, digits)}`
  const text = String(amount).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

// With a decimal point, or with a decimal comma; thousands may be grouped.
const pointAmount = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/
const commaAmount = /^(\d+|\d{1,3}(?:\.\d{3})+),(\d{1,2})$/

const currencyNames = /^(?:[A-Z]{2,3}|[A-Z]{0,2}\p{Sc})\s?|\s?(?:[A-Z]{3}|\p{Sc})$/gu

/** Minor units of an amount in a search: "42", "42.00", "1,234.50", "$42", "42,00 €". */
export function findAmount(text: string, currency: string): number | undefined {
  const number = text.replace(currencyNames, '')
  const match = pointAmount.exec(number) ?? commaAmount.exec(number)
  if (match === null) return undefined
  const digits = minorDigits(currency)
  const fraction = match[2] ?? ''
  if (fraction.length > digits) return undefined
  const amount = Number(match[1]!.replace(/[.,]/g, '') + fraction.padEnd(digits, '0'))
  return isAmount(amount) ? amount : undefined
}

/** "US$75.00", "CHF 75.00" and "75,00 €" identify one currency; "$75.00" fits twenty. */
export function namesCurrency(text: string, currency: string): boolean {
  return text.includes('€') || text.includes(currency.slice(0, 2))
}

/** A field of a CSV record: 33600 USD is 336.00, -5 JPY is -5. */
export function csvAmount(amount: number, currency: string): CsvNumber {
  return { number_text: decimalText(amount, minorDigits(currency)) }
}
