// Amounts as people type them, in the notation in which the dashboard writes them. It is money:
// what could be read in two ways is read in none.

import { amountParts, amountText } from '../../../../src/primitives/amount-text.ts'
import { minorDigits } from '../../../../src/primitives/currencies.ts'
import { amount_max, isAmount } from '../../../../src/primitives/money.ts'

/**
 * "12.5" in USD is 1250, and so is "12,5". "1.234,56 €" in German is 123456. Undefined for what is
 * no amount, such as more digits than it has, and for "1.234" where that is not how the language
 * writes a fraction: some mean a thousand with it and some have slipped.
 */
export function parseAmount(text: string, currency: string, language: string): number | undefined {
  const { split, digits } = readTyped(text, currency, language)
  if (split === undefined) return undefined
  const [whole, fraction = ''] = split
  if (whole.length > 12 || fraction.length > digits) return undefined
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  return isAmount(amount) ? amount : undefined
}

/** Why what is typed is no amount. Undefined exactly where it is one. */
export function amountFault(text: string, currency: string, language: string): string | undefined {
  if (parseAmount(text, currency, language) !== undefined) return undefined
  const { plain, split, digits, notation } = readTyped(text, currency, language)
  if (in_two_ways.test(plain)) {
    return `${text.trim()} can be read in two ways. Write ${inOneWay(plain, currency, language)}.`
  }
  const [whole = '', fraction = ''] = split ?? []
  if (fraction.length > digits) {
    const sign = signNames[notation.decimal ?? plain.at(-fraction.length - 1)!]
    return `${currency} has ${digits || 'no'} digits after the ${sign ?? 'decimal sign'}.`
  }
  // Not by its length: zeros before it make it no greater.
  if (Number(whole + fraction.padEnd(digits, '0')) > amount_max) {
    return `At most ${amountText(amount_max, currency, language)}.`
  }
  return `Enter an amount, for example ${formatAmountInput(7_500, currency, language)}.`
}

const in_two_ways = /^[1-9]\d{0,2}[.,]\d{3}$/

const signNames: Record<string, string> = { '.': 'point', ',': 'comma' }

/** A thousand, without a sign or with the decimals; and where it can be one, the fraction. */
function inOneWay(plain: string, currency: string, language: string): string {
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

/** An amount to begin with in a field: with the decimal sign, without signs between thousands. */
export function formatAmountInput(amount: number, currency: string, language: string): string {
  const kept = ['integer', 'decimal', 'fraction']
  const parts = amountParts(amount, currency, language).filter(({ type }) => kept.includes(type))
  return parts.map(({ value }) => value).join('')
}

interface Notation {
  /** Between thousands. */
  group: string | undefined
  /** None where the currency has no fraction. */
  decimal: string | undefined
  /** The ten digits, from zero on. */
  numerals: string[]
  /** How the currency may be named before or after the amount. */
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

/** Spaces of any width are one, so are apostrophes; marks of writing direction are nothing. */
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

/** As the account's language writes it. */
function splitNative(text: string, notation: Notation, digits: number): Split | undefined {
  const { group, decimal } = notation
  const thousands = group === undefined ? '' : `|${groupsBy(escaped(group))}`
  const fractions = decimal === undefined ? '' : `(?:${escaped(decimal)}(\\d+))?`
  const match = new RegExp(`^(\\d+${thousands})${fractions}$`).exec(text)
  if (match === null) return undefined
  const [, written = '', fraction] = match
  const groups = group === undefined ? [written] : written.split(group)
  // In the next language the same sign begins a fraction. An amount without one has no other way to
  // be read, and two signs of a kind have none either.
  const in_doubt = groups.length === 2 && fraction === undefined && digits > 0
  return in_doubt && /[.,]/.test(group!) ? undefined : [groups.join(''), fraction]
}

/** By thousands, or as in India: 12,34,567. */
function groupsBy(sign: string): string {
  return `[1-9]\\d{0,2}(?:${sign}\\d{3})+|[1-9]\\d?(?:${sign}\\d{2})+${sign}\\d{3}`
}

function escaped(sign: string): string {
  return sign.replace(/[.$*+?^()[\]{}|\\]/g, '\\$&')
}

/** With the decimal sign of others. Three digits after it could be thousands. */
function splitForeign(text: string): Split | undefined {
  const match = /^(\d+)[.,](\d+)$/.exec(text)
  if (match === null || match[2]!.length === 3) return undefined
  return [match[1]!, match[2]!]
}
