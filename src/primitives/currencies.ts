// The currencies of ISO 4217, list one, with their minor digits. `Intl` is not usable as a source:
// it has customary digits (none for HUF and IDR), contains retired codes, and changes with Node.
//
// The table has every active code with a minor unit. It omits codes whose minor unit is "N.A.":
// metals, bond-market units, SDR, SUCRE, ADB unit, test code and "no currency". It includes the
// fund codes with minor digits (BOV CHE CHW CLF COU MXV USN UYI UYW XAD): contracts in Chile and
// Uruguay are priced in CLF and UYI.
//
// Recently removed from the list: BGN (euro, 2026), ANG (XCG, 2025), CUC, ZWL (ZWG, 2024),
// SLL (SLE), HRK (euro, 2023).

/** The table includes amendments up to number 180, in force on this day. */
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

/** Throws for an unknown code: validation should have rejected it. */
export function minorDigits(code: string): number {
  const digits = currencies.get(code)
  if (digits === undefined) throw new RangeError(`${code} is not an active currency.`)
  return digits
}
