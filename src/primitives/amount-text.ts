// An amount as its reader writes it: in the reader's language, with the currency's own digits.

import { minorDigits } from './currencies.ts'

/** 7500 USD in English is "$75.00"; 7500 JPY in Japanese is "￥7,500". */
export function amountText(amount: number, currency: string, language: string): string {
  return formatFor(currency, language).format(decimalText(amount, minorDigits(currency)) as never)
}

/** The same in pieces, for whoever reads what was written so. */
export function amountParts(
  amount: number,
  currency: string,
  language: string,
): Intl.NumberFormatPart[] {
  const text = decimalText(amount, minorDigits(currency))
  return formatFor(currency, language).formatToParts(text as never)
}

const formats = new Map<string, Intl.NumberFormat>()

// Making a format takes a hundred times as long as using one. Languages and currencies are few, but
// languages come from callers: past the bound all are forgotten rather than kept for ever.
const formats_max = 1_000

function formatFor(currency: string, language: string): Intl.NumberFormat {
  const name = `${language} ${currency}`
  const known = formats.get(name)
  if (known !== undefined) return known
  // Intl's own digits are wrong for 16 currencies.
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

/** Exact, as text: a division would bring binary fractions in. 7500 with two digits is "75.00". */
export function decimalText(amount: number, digits: number): string {
  if (digits === 0) return String(amount)
  if (amount < 0) return `-${decimalText(-amount, digits)}`
  const text = String(amount).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** "US$75.00", "CHF 75.00" and "75,00 €" can be one currency only; "$75.00" can be twenty. */
export function namesCurrency(text: string, currency: string): boolean {
  return text.includes('€') || text.includes(currency.slice(0, 2))
}
