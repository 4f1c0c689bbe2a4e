// The currencies of ISO 4217, list one, and how many minor digits each has. `Intl` is no source:
// it gives what people write (HUF and IDR without digits), knows dead codes, and changes with Node.
//
// The rule is: every active code that has a minor unit. That leaves out the metals, bond-market
// units, SDR, SUCRE, ADB unit, test code and "no currency" (minor unit "N.A."), in which no amount
// is defined. It keeps the fund codes with minor digits (BOV CHE CHW CLF COU MXV USN UYI UYW XAD):
// they are active codes too, and contracts in Chile and Uruguay are priced in CLF and UYI.
//
// Codes that left the list lately: BGN (euro, 2026), ANG (XCG, 2025), CUC, ZWL (ZWG, 2024),
// SLL (SLE), HRK (euro, 2023).

/** Amendments up to number 180, in force on this day, are in the table. */
export const currencies_dated = '2026-01-01'

const codesByMinorDigits: readonly [minor_digits: number, codes: string][] = [
  [0, `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD
     CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
     GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
     LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
     PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
     SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW
     ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Code → minor digits. */
export const currencies: ReadonlyMap<string, number> = new Map(
  codesByMinorDigits
    .flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)

export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** Asking for a code outside the table is a fault of ours: it was accepted somewhere. */
export function minorDigits(code: string): number {
  const digits = currencies.get(code)
  if (digits === undefined) throw new RangeError(`${code} is not an active currency.`)
  return digits
}
