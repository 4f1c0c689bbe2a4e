// Mollie's amounts are decimal texts, with the digits of the currency. Costs have four digits.

import { minorDigits } from '../primitives/currencies.ts'

export interface MollieAmount {
  currency: string
  value: string
}

export function toMollieAmount(amount: number, currency: string): MollieAmount {
  const digits = minorDigits(currency)
  const text = String(amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return { currency, value: digits === 0 ? whole : `${whole}.${text.slice(-digits)}` }
}

export function fromMollieAmount({ currency, value }: MollieAmount): number {
  const digits = minorDigits(currency)
  const [whole = '', fraction = ''] = value.split('.')
  // Never more digits than ours: "1000.00" JPY is not 100 000.
  return Number(whole + fraction.padEnd(digits, '0').slice(0, digits))
}

const fraction_digits = 4

/** In units of 0.0001, so that costs add up before they are rounded. */
export function toFraction({ value }: MollieAmount): number {
  return Math.round(Number(value) * 10 ** fraction_digits)
}

/** How many of these units a minor unit has. */
export function fractionsPerMinor(currency: string): number {
  return 10 ** (fraction_digits - minorDigits(currency))
}
