// Parses amounts typed by users, in the notation of the account's language. Ambiguous input is
// rejected, never guessed.

import { minorDigits } from './currencies.ts'
import { amount_max, amountParts, amountText, isAmount } from './money.ts'

/**
 * Returns minor units: "12.5" and "12,5" in USD are 1250, "1.234,56 €" in German is 123456.
 * Returns undefined for anything that is not a valid amount, and for ambiguous input such as
 * "1.234", which can mean one thousand or a mistyped fraction.
 */
export function parseAmount(text: string, currency: string, language: string): number | undefined {
  const { split, digits } = readTyped(text, currency, language)
  if (split === undefined) return undefined
  const [whole, fraction = ''] = split
  if (whole.length > 12 || fraction.length > digits) return undefined
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  return isAmount(amount) ? amount : undefined
}

/** Why the input is not a valid amount. Undefined if and only if parseAmount accepts it. */
export function amountError(text: string, currency: string, language: string): string | undefined {
  if (parseAmount(text, currency, language) !== undefined) return undefined
  const { plain, split, digits, notation } = readTyped(text, currency, language)
  if (ambiguous.test(plain)) {
    return `${text.trim()} is ambiguous. Enter ${unambiguous(plain, currency, language)}.`
  }
  const [whole = '', fraction = ''] = split ?? []
  if (fraction.length > digits) {
    const sign = signNames[notation.decimal ?? plain.at(-fraction.length - 1)!]
    return `${currency} has ${digits || 'no'} digits after the ${sign ?? 'decimal separator'}.`
  }
  // Compares the value, not the length: leading zeros are allowed.
  if (Number(whole + fraction.padEnd(digits, '0')) > amount_max) {
    return `The maximum is ${amountText(amount_max, currency, language)}.`
  }
  return `Enter an amount, for example ${formatAmountInput(7_500, currency, language)}.`
}

const ambiguous = /^[1-9]\d{0,2}[.,]\d{3}$/

const signNames: Record<string, string> = { '.': 'decimal point', ',': 'decimal comma' }

/** Unambiguous spellings of an ambiguous input: as thousands and, if possible, as a fraction. */
function unambiguous(plain: string, currency: string, language: string): string {
  const thousands = Number(plain.replace(/[.,]/, ''))
  const digits = minorDigits(currency)
  const whole = formatAmountInput(thousands * 10 ** digits, currency, language)
  const other = digits === 3 ? formatAmountInput(thousands, currency, language) : undefined
  const short = new Intl.NumberFormat([language, 'en'], counting).format(thousands)
  const ways = other === undefined ? [short, whole] : [whole, other]
  return [...new Set(ways)].join(' or ')
}

function readTyped(text: string, currency: string, language: string) {
  const digits = minorDigits(currency)
  const notation = notationOf(currency, language)
  const plain = withoutCurrency(plainText(text, notation.numerals), notation.names)
  const split = splitNative(plain, notation, digits) ?? splitForeign(plain)
  return { plain, split, digits, notation }
}

/** Formats an amount for an input field: with decimals, without grouping separators. */
export function formatAmountInput(amount: number, currency: string, language: string): string {
  const types = ['integer', 'decimal', 'fraction']
  const parts = amountParts(amount, currency, language).filter(({ type }) => types.includes(type))
  return parts.map(({ value }) => value).join('')
}

interface Notation {
  /** The grouping separator. */
  group: string | undefined
  /** The decimal separator. Undefined if the currency has no decimals. */
  decimal: string | undefined
  /** The ten digits, starting with zero. */
  numerals: string[]
  /** Currency symbol and code, allowed before or after the amount. */
  names: string[]
}

type Split = [whole: string, fraction?: string | undefined]

function notationOf(currency: string, language: string): Notation {
  const parts = amountParts(1_234_567 * 10 ** minorDigits(currency), currency, language)
  const numerals = [...new Intl.NumberFormat([language, 'en'], counting).format(9_876_543_210)]
  const find = (type: Intl.NumberFormatPartTypes) => {
    const value = parts.find((part) => part.type === type)?.value
    return value === undefined ? undefined : plainSigns(value)
  }
  const names = [find('currency') ?? '', currency].filter((name) => name !== '')
  return { group: find('group'), decimal: find('decimal'), numerals: numerals.reverse(), names }
}

const counting: Intl.NumberFormatOptions = { useGrouping: false }

function plainText(text: string, numerals: string[]): string {
  const latin = [...text].map((sign) => {
    const digit = numerals.indexOf(sign)
    return digit === -1 ? sign : String(digit)
  })
  return plainSigns(latin.join(''))
}

/** Normalizes spaces and apostrophes, and removes invisible direction marks. */
function plainSigns(text: string): string {
  const shown = text.replace(/[\u061c\u200b\u200e\u200f]/g, '')
  const plain = shown.replace(/\s/g, ' ').replace(/[’ʼ]/g, "'")
  return plain === ' ' ? plain : plain.trim()
}

function withoutCurrency(text: string, names: string[]): string {
  for (const name of names) {
    if (text.startsWith(name)) return text.slice(name.length).trim()
    if (text.endsWith(name)) return text.slice(0, -name.length).trim()
  }
  return text
}

/** Splits an amount written in the account's notation. */
function splitNative(text: string, notation: Notation, digits: number): Split | undefined {
  const { group, decimal } = notation
  const thousands = group === undefined ? '' : `|${groupsBy(escaped(group))}`
  const fractions = decimal === undefined ? '' : `(?:${escaped(decimal)}(\\d+))?`
  const match = new RegExp(`^(\\d+${thousands})${fractions}$`).exec(text)
  if (match === null) return undefined
  const [, written = '', fraction] = match
  const groups = group === undefined ? [written] : written.split(group)
  // In other languages the same sign is the decimal separator. A fraction, or a second grouping
  // separator, removes the ambiguity.
  const is_ambiguous = groups.length === 2 && fraction === undefined && digits > 0
  return is_ambiguous && /[.,]/.test(group!) ? undefined : [groups.join(''), fraction]
}

/** Groups of three digits, or Indian grouping: 12,34,567. */
function groupsBy(sign: string): string {
  return `[1-9]\\d{0,2}(?:${sign}\\d{3})+|[1-9]\\d?(?:${sign}\\d{2})+${sign}\\d{3}`
}

function escaped(sign: string): string {
  return sign.replace(/[.$*+?^()[\]{}|\\]/g, '\\$&')
}

/** Accepts the other decimal separator, unless three digits follow: those could be thousands. */
function splitForeign(text: string): Split | undefined {
  const match = /^(\d+)[.,](\d+)$/.exec(text)
  if (match === null || match[2]!.length === 3) return undefined
  return [match[1]!, match[2]!]
}
