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
  // A separator inside of a text does not have a number behind it.
  const parts = text.split(separator).filter((part) => /^[0-9]{2}/.test(part))
  const subfields = new Map(parts.map((part) => [part.slice(0, 2), part.slice(2)]))
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => subfields.get(String(from + at)) ?? '').join(
      '',
    )
  const purpose = readPurpose(range(20, 29) + range(60, 63))
  const account = readAccount(findAccount(parts))
  // In ascending order, unless a payer has written one of them.
  const numbers = parts.map((part) => part.slice(0, 2))
  const is_by_bank = numbers.every((number, at) => at === 0 || number > numbers[at - 1]!)
  return {
    description: is_by_bank ? cleanText(subfields.get('00')) : null,
    end_to_end_id: readReference(pick(purpose, 'EREF')),
    creditor_reference: null,
    counterparty_name: is_by_bank
      ? (cleanText(range(32, 33)) ?? cleanText(pick(purpose, 'ABWA')))
      : null,
    counterparty_iban: account.iban,
    counterparty_number: account.number,
    remittance: cleanText(pick(purpose, 'SVWZ') ?? pick(purpose, '')),
    return_reason: returnCodes.has(code) ? findReturnReason(range(20, 29)) : null,
  }
}

/**
 * The bank writes subfields in ascending order. A lower one after the account, or a second account,
 * shows that a payer has written one of them: then it is unknown.
 */
function findAccount(parts: string[]): string | null {
  const at = parts.findIndex((part) => part.startsWith('31'))
  const ascends = parts.slice(at + 1).every((part) => part.slice(0, 2) > '31')
  return at === -1 || !ascends ? null : parts[at]!.slice(2)
}

// Without IBAN and BIC, which banks write into their own subfields: here, they are text of a payer.
const purposeTag = /(?<![A-Z0-9])(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP)(?:\+|: )/g

/** `EREF+7SVWZ+Invoice 7` by tag. */
function readPurpose(text: string): Fields {
  // Lines have no space between them, so a tag can follow a word directly.
  const marked = text.replace(/(EREF|KREF|MREF|CRED|SVWZ|ABWA|ABWE)\+/g, ' $&')
  return splitAt(marked, purposeTag, 'SVWZ', () => true)
}

interface Field {
  /** Empty for text before the first tag. */
  tag: string
  value: string
}

/** The text of the payer is the last field of `before`, and can contain the start of `after`. */
interface Fields {
  before: Field[]
  after: Field[]
}

/** After the text of the payer, which `text_tag` starts, only tags that may follow it count. */
function splitAt(
  text: string,
  tags: RegExp,
  text_tag: string,
  mayFollow: (tag: string) => boolean,
): Fields {
  const all = [...text.matchAll(tags)].map((found) => ({
    ...found,
    tag: found[1]!,
    head: found[0],
  }))
  const text_at = all.findIndex(({ tag }) => tag === text_tag)
  const found = all.filter(({ tag }, at) => text_at === -1 || at <= text_at || mayFollow(tag))
  const leading = { tag: '', value: text.slice(0, found[0]?.index) }
  const fields = found.map(({ tag, head, index }, at) => ({
    tag,
    value: text.slice(index + head.length, found[at + 1]?.index),
  }))
  const is_text_first = text_at === -1 && leading.value.trim() !== ''
  const count = is_text_first ? 0 : text_at === -1 ? fields.length : text_at + 1
  return { before: [leading, ...fields.slice(0, count)], after: fields.slice(count) }
}

/** A payer can write every tag. The field of the bank is the first or, after the text, the last. */
function pick({ before, after }: Fields, wanted: string): string | undefined {
  const field =
    before.find(({ tag }) => tag === wanted) ?? after.findLast(({ tag }) => tag === wanted)
  return field?.value
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

// Banks write them before the text. One bank writes the account of a direct debit after it:
// this is left in the text, because a payer could have written it.
const neverAfterText = new Set(['IBAN', 'BIC', 'NAME', 'CNTP', 'RTRN', 'TRTP', 'REMI'])

/** `/TRTP/SEPA/IBAN/…/NAME/…/REMI/…/EREF/…`; in CNTP account, BIC and name have no names. */
function readSlashTags(text: string): Details {
  const fields = splitAt(text, slashTags, 'REMI', (tag) => !neverAfterText.has(tag))
  const [, , name_in_party] = (pick(fields, 'CNTP') ?? '').split('/')
  const account = readAccount(findTaggedAccount(fields))
  const remittance = readRemittance(pick(fields, 'REMI') ?? '')
  const returned = pick(fields, 'RTRN')
  return {
    description: cleanText(pick(fields, 'TRTP')),
    end_to_end_id: readReference(pick(fields, 'EREF')),
    creditor_reference: remittance.creditor_reference,
    counterparty_name: cleanText(name_in_party) ?? cleanText(pick(fields, 'NAME')),
    counterparty_iban: account.iban,
    counterparty_number: account.number,
    remittance: remittance.text,
    return_reason: returned === undefined ? null : findReturnReason(returned),
  }
}

/** Unknown if there are two: then one is part of a name or reference of the payer. */
function findTaggedAccount({ before }: Fields): string | undefined {
  const [only, another] = before.filter(({ tag }) => tag === 'IBAN' || tag === 'CNTP')
  if (only === undefined || another !== undefined) return undefined
  return only.tag === 'IBAN' ? only.value : only.value.split('/')[0]
}

/** `USTD//text`, `STRD/CUR/RF97…` or a text. */
function readRemittance(text: string) {
  const [, structured] = /^STRD\/(?:CUR|ISO)\/([^/]*)/.exec(text) ?? []
  if (structured !== undefined) return { text: null, creditor_reference: readReference(structured) }
  return { text: joinTexts([text.replace(/^USTD\/\//, '')]), creditor_reference: null }
}
