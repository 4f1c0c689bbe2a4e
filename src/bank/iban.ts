// Account numbers and bank codes: IBAN (ISO 13616) and BIC (ISO 9362).

import { quote } from '../primitives/text.ts'

// Country → length, from the IBAN registry of SWIFT, release 101.
const lengthsByCountry: ReadonlyMap<string, number> = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18
   DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23
   IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27
   MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19
   SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The IBAN in electronic form: upper case, without spaces. Undefined if it is not valid. */
export function findIban(text: string): string | undefined {
  const iban = electronicForm(text)
  return ibanProblem(iban) === undefined ? iban : undefined
}

/** Why a field is not a valid IBAN. Undefined if and only if findIban accepts it. */
export function ibanError(field: string, text: string): string | undefined {
  const problem = ibanProblem(electronicForm(text))
  if (problem === undefined) return undefined
  return `"${field}" ${problem}; got ${quote(text)}. Copy the IBAN from a bank statement.`
}

/** An IBAN or a reference in groups of four, as on paper. */
export function groupByFour(text: string): string {
  return text.replace(/.{4}(?=.)/g, '$& ')
}

function electronicForm(text: string): string {
  return text.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').toUpperCase()
}

function ibanProblem(iban: string): string | undefined {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]*$/.test(iban)) {
    return 'must be an IBAN: two letters, two check digits, then letters and digits'
  }
  const country = iban.slice(0, 2)
  const length = lengthsByCountry.get(country)
  if (length === undefined) return `must start with a country that has IBANs, not ${country}`
  if (iban.length !== length) {
    return `must have ${length} characters, because it starts with ${country}, not ${iban.length}`
  }
  // 00, 01 and 99 have the same remainder as 97, 98 and 02, which ISO 7064 generates.
  const check = Number(iban.slice(2, 4))
  if (check < 2 || check > 98 || remainder97(iban) !== 1) {
    return 'has wrong check digits: at least one character is mistyped'
  }
  return undefined
}

/** The two digits that make country (or `RF`) and body a valid number by ISO 7064, mod 97-10. */
export function checkDigits(prefix: string, body: string): string {
  return String(98 - remainder97(`${prefix}00${body}`)).padStart(2, '0')
}

/**
 * The remainder of dividing by 97, with the first four characters moved to the end, and 10 to 35
 * for `A` to `Z`. It is 1 if the check digits are right. For `A`-`Z` and `0`-`9` only.
 */
export function remainder97(text: string): number {
  let remainder = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

// Institution, country, location, and an optional branch.
const bicShape = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The BIC in upper case, without spaces. Undefined if it is not well formed. */
export function findBic(text: string): string | undefined {
  const bic = electronicForm(text)
  return bicShape.test(bic) && regions.of(bic.slice(4, 6)) !== undefined ? bic : undefined
}

/** Why a field is not a valid BIC. Undefined if and only if findBic accepts it. */
export function bicError(field: string, text: string): string | undefined {
  if (findBic(text) !== undefined) return undefined
  const rule = `"${field}" must be a BIC of 8 or 11 characters with a country at 5 and 6`
  return `${rule}, such as COBADEFF; got ${quote(text)}. Correct it, or leave it out.`
}
