import { minorDigits } from '../../../../src/primitives/currencies.ts'
import { isAmount } from '../../../../src/primitives/money.ts'

/** "12.5" in USD is 1250. Undefined for what is no amount, such as more digits than it has. */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = minorDigits(currency)
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim())
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > digits) return undefined
  const amount = Number(match[1] + fraction.padEnd(digits, '0'))
  return isAmount(amount) ? amount : undefined
}
