// Field :86: of MT940: who paid, and what for. Its structure depends on the country: numbered
// subfields in Germany and Austria, words between slashes elsewhere, or free text.

import { cleanText, joinTexts, readAccount, readReference } from './read-values.ts'
import type { BankTransaction } from './statement.ts'

type TransferDetails = Omit<
  BankTransaction,
  'amount' | 'currency' | 'direction' | 'payment_information_id'
>

interface Details extends TransferDetails {
  description: string | null
}

const noDetails: Details = {
  description: null,
  end_to_end_id: null,
  creditor_reference: null,
  counterparty_name: null,
  counterparty_iban: null,
  counterparty_number: null,
  remittance: null,
  return_reason: null,
}

export function readDetails(lines: string[]): Details {
  const joined = lines.join('')
  const [, code, separator] = /^([0-9]{3})([?<>^~!@#$%&*+;|])(?=[0-9]{2})/.exec(joined) ?? []
  if (separator !== undefined) return readSubfields(joined.slice(3), separator, code!)
  if (slashTag.test(joined)) return readSlashTags(joined)
  return { ...noDetails, remittance: cleanText(unwrap(lines)) }
}

// A full line was wrapped, maybe inside of a word.
const line_length_max = 65

function unwrap(lines: string[]): string {
  return lines.reduce((text, line, at) => {
    const is_wrapped = lines[at - 1] !== undefined && lines[at - 1]!.length >= line_length_max
    return at === 0 || is_wrapped ? text + line : `${text} ${line}`
  }, '')
}

// Codes of the German banks for returned transfers and direct debits.
const returnCodes = new Set(['108', '109', '159', '185'])

/** `166?00GUTSCHRIFT?20EREF+7?21SVWZ+Invoice 7?30BIC?31IBAN?32Name`. */
function readSubfields(text: string, separator: string, code: string): Details {
  const subfields = new Map<string, string>()
  for (const part of text.split(separator).slice(1)) {
    // A separator inside of a text does not have a number behind it.
    if (/^[0-9]{2}/.test(part)) subfields.set(part.slice(0, 2), part.slice(2))
  }
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => subfields.get(String(from + at)) ?? '').join(
      '',
    )
  const purpose = readPurpose(range(20, 29) + range(60, 63))
  const account = readAccount(subfields.get('31') ?? purpose.get('IBAN'))
  return {
    description: cleanText(subfields.get('00')),
    end_to_end_id: readReference(purpose.get('EREF')),
    creditor_reference: null,
    counterparty_name: cleanText(range(32, 33)) ?? cleanText(purpose.get('ABWA')),
    counterparty_iban: account.iban,
    counterparty_number: account.number,
    remittance: cleanText(purpose.get('SVWZ') ?? purpose.get('')),
    return_reason: returnCodes.has(code) ? findReturnReason(range(20, 29)) : null,
  }
}

const purposeTag =
  /(?<![A-Z0-9])(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)(?:\+|: )/g

/** `EREF+7SVWZ+Invoice 7` by tag. Text before the first tag has the tag ''. */
function readPurpose(text: string): Map<string, string> {
  // Lines have no space between them, so a tag can follow a word directly.
  const marked = text.replace(/(EREF|KREF|MREF|CRED|SVWZ|ABWA|ABWE)\+/g, ' $&')
  return splitAt(marked, purposeTag)
}

function splitAt(text: string, tags: RegExp): Map<string, string> {
  const parts = new Map<string, string>()
  let tag = ''
  let from = 0
  for (const found of text.matchAll(tags)) {
    parts.set(tag, text.slice(from, found.index))
    tag = found[1]!
    from = found.index + found[0].length
  }
  return parts.set(tag, text.slice(from))
}

function findReturnReason(text: string): string {
  return (
    /\b(A[CGM][0-9]{2}|BE0[0-9]|FF0[0-9]|M[DS]0[0-9]|R[CR]0[0-9]|SL01|FOCR)\b/.exec(text)?.[1] ??
    'unknown'
  )
}

const slashNames = [
  ...['EREF', 'KREF', 'REMI', 'NAME', 'IBAN', 'BIC', 'CNTP', 'ORDP', 'BENM', 'TRTP', 'CSID'],
  ...['MARF', 'PREF', 'RTRN', 'SVCL', 'ULTC', 'ULTD', 'PURP', 'ISDT', 'OCMT', 'CHGS', 'EXCH'],
]
const slashTag = new RegExp(`^/(?:${slashNames.join('|')})/`)
const slashTags = new RegExp(`/(${slashNames.join('|')})/`, 'g')

/** `/TRTP/SEPA/IBAN/…/NAME/…/REMI/…/EREF/…`; in CNTP account, BIC and name have no names. */
function readSlashTags(text: string): Details {
  const parts = splitAt(text, slashTags)
  const [account_in_party, , name_in_party] = (parts.get('CNTP') ?? '').split('/')
  const account = readAccount(parts.get('IBAN') ?? account_in_party)
  const remittance = readRemittance(parts.get('REMI') ?? '')
  const returned = parts.get('RTRN')
  return {
    description: cleanText(parts.get('TRTP')),
    end_to_end_id: readReference(parts.get('EREF')),
    creditor_reference: remittance.creditor_reference,
    counterparty_name: cleanText(parts.get('NAME') ?? name_in_party),
    counterparty_iban: account.iban,
    counterparty_number: account.number,
    remittance: remittance.text,
    return_reason: returned === undefined ? null : findReturnReason(returned),
  }
}

/** `USTD//text`, `STRD/CUR/RF97…` or a text. */
function readRemittance(text: string) {
  const [, structured] = /^STRD\/(?:CUR|ISO)\/([^/]*)/.exec(text) ?? []
  if (structured !== undefined) return { text: null, creditor_reference: readReference(structured) }
  return { text: joinTexts([text.replace(/^USTD\/\//, '')]), creditor_reference: null }
}
