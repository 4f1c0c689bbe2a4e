// Converts amounts to and from Stripe's units, and knows what Stripe accepts.

import { currencies, minorDigits } from '../primitives/currencies.ts'
import { type AmountLimits, ProviderError } from './provider.ts'

// Stripe's minor units differ from ISO 4217 for some currencies. MGA has no decimals at Stripe; ISK
// and UGX have two although nothing smaller than one unit exists; three decimals end in 0.
const decimalsAtStripe: Record<string, number> = { MGA: 0, ISK: 2, UGX: 2 }

// The currencies that Stripe charges in, from its documentation.
const supported = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF
   CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD
   HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD
   MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
   PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SZL THB TJS TND TOP TRY TTD
   TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW`
    .split(/\s+/)
    .filter((code) => currencies.has(code)),
)

// At most eight digits; the minimum depends on the account's bank, so Stripe itself checks it.
const digits_max = 99_999_999

export function limits(currency: string): AmountLimits | undefined {
  if (!supported.has(currency)) return undefined
  const digits = minorDigits(currency)
  const step = currency === 'MGA' ? 100 : digits === 3 ? 10 : 1
  const max = Math.floor(digits_max / 10 ** (stripeDigits(currency) - digits))
  return { min: step, max: Math.floor(max / step) * step, step }
}

/** Stripe cannot refund a part of its smallest unit, and rounding would move other money. */
export function requireWholeSteps(amount: number, currency: string): void {
  const step = limits(currency)?.step ?? 1
  if (amount % step === 0) return
  const message = `Stripe refunds ${currency} in steps of ${step} minor units; got ${amount}.`
  throw new ProviderError(message, { is_final: true })
}

function stripeDigits(currency: string): number {
  return decimalsAtStripe[currency] ?? minorDigits(currency)
}

export function toStripeAmount(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (stripeDigits(currency) - minorDigits(currency)))
}

export function fromStripeAmount(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (minorDigits(currency) - stripeDigits(currency)))
}
