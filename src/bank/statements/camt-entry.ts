// Entries and balances of camt.053 and camt.054, in the paths of all versions.

import { invalid, missing } from './bank-file-error.ts'
import {
  cleanText,
  joinTexts,
  readAccount,
  readAmount,
  readCurrency,
  readDay,
  readReference,
} from './read-values.ts'
import {
  type BankBalance,
  type BankTransaction,
  bareTransaction,
  type Direction,
} from './statement.ts'
import { addsUp, type DraftEntry } from './statement-builder.ts'
import {
  elementsAt,
  findElement,
  findText,
  getElement,
  positionOf,
  type XmlElement,
} from './xml-element.ts'

/** An <Ntry>, with one transaction for each <TxDtls>. */
export function readCamtEntry(element: XmlElement): DraftEntry {
  const money = readMoney(getElement(element, 'Amt'))
  const entry = { ...money, direction: readDirection(element) }
  const details = elementsAt(element, 'NtryDtls/TxDtls')
  const listed = readListed(details, entry)
  const count = listed.length || Math.max(details.length, batchSize(element))
  const transactions = listed.length > 0 ? listed : [wholeEntry(element, details, entry)]
  const status = findText(element, 'Sts/Cd', 'Sts/Prtry', 'Sts')
  return {
    ...entry,
    is_booked: status === undefined || status === 'BOOK',
    // The direction is that of this entry, not of the entry that it reverses.
    is_reversal: /^(true|1)$/.test(findText(element, 'RvslInd') ?? ''),
    booked_on: readDate(findElement(element, 'BookgDt')),
    value_on: readDate(findElement(element, 'ValDt')),
    bank_reference: bankReference(element, details),
    description: cleanText(findText(element, 'AddtlNtryInf')),
    transactions: withBatchId(element, transactions),
    is_complete: addsUp(entry, transactions, count),
    line: element.line,
  }
}

/**
 * <NtryRef> is not used: many banks number the entries of each statement from 1. A reference of the
 * only transaction identifies the entry, too.
 */
function bankReference(element: XmlElement, details: XmlElement[]): string | null {
  const [only, another] = details
  const of_entry = readReference(findText(element, 'AcctSvcrRef'))
  if (of_entry !== null || only === undefined || another !== undefined) return of_entry
  return readReference(findText(only, 'Refs/AcctSvcrRef'))
}

type Money = Pick<BankTransaction, 'amount' | 'currency'>

function readMoney(element: XmlElement): Money {
  const position = positionOf(element)
  const code = element.attributes.get('Ccy')
  if (code === undefined) throw missing(position, 'the attribute Ccy')
  const currency = readCurrency(code, position)
  const amount = readAmount(element.text.trim(), currency, position)
  if (amount < 0) throw invalid(position, 'an amount must not be negative', element.text.trim())
  return { amount, currency }
}

function readDirection(element: XmlElement): Direction {
  const indicator = getElement(element, 'CdtDbtInd')
  const text = indicator.text.trim()
  if (text === 'CRDT') return 'credit'
  if (text === 'DBIT') return 'debit'
  throw invalid(positionOf(indicator), 'must be CRDT or DBIT', text)
}

const dateShape = /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:Z|[+-][0-9]{2}:[0-9]{2}|T.*)?$/

/** The day in the time zone of the bank. */
function readDate(element: XmlElement | undefined): string | null {
  if (element === undefined) return null
  const written = findText(element, 'Dt', 'DtTm')
  if (written === undefined) return null
  const [, year, month, day] = dateShape.exec(written) ?? []
  const position = positionOf(element)
  if (year === undefined) throw invalid(position, 'a date must have the form YYYY-MM-DD', written)
  return readDay(year, month!, day!, position, written)
}

type EntryMoney = Money & { direction: Direction }

/** The transfers, if the bank states the amount of each. */
function readListed(details: XmlElement[], entry: EntryMoney): BankTransaction[] {
  const stated = details.map((one) => readTransaction(one, entry))
  const known = stated.filter((one) => one !== undefined)
  return known.length === stated.length ? known : []
}

function withBatchId(element: XmlElement, transactions: BankTransaction[]): BankTransaction[] {
  const batch_id = readReference(findText(element, 'NtryDtls/Btch/PmtInfId'))
  return transactions.map((one) => ({
    ...one,
    payment_information_id: one.payment_information_id ?? batch_id,
  }))
}

/** Without the amount of each transfer, the entry stays one transaction with all texts. */
function wholeEntry(
  element: XmlElement,
  details: XmlElement[],
  entry: EntryMoney,
): BankTransaction {
  const bare = bareTransaction(entry)
  const [first, second] = details.map((one) => describeTransfer(one, entry.direction))
  if (first === undefined) {
    return { ...bare, remittance: cleanText(findText(element, 'AddtlNtryInf')) }
  }
  if (second === undefined && batchSize(element) <= 1) return { ...bare, ...first }
  return { ...bare, remittance: joinTexts(details.map(readRemittance)) }
}

/** The number of transfers in a collective entry whose details the bank does not list. */
function batchSize(element: XmlElement): number {
  const stated = findText(element, 'NtryDtls/Btch/NbOfTxs') ?? '1'
  return /^[0-9]{1,15}$/.test(stated) ? Number(stated) : 1
}

/** Undefined if the amount in the currency of the entry is not stated. */
function readTransaction(element: XmlElement, entry: EntryMoney): BankTransaction | undefined {
  // Other amounts, such as <InstdAmt>, are what the payer sent, before charges and conversion.
  const stated = findElement(element, 'Amt', 'AmtDtls/TxAmt/Amt')
  const money = stated === undefined ? undefined : readMoney(stated)
  if (money === undefined || money.currency !== entry.currency) return undefined
  const has_direction = findElement(element, 'CdtDbtInd') !== undefined
  const direction = has_direction ? readDirection(element) : entry.direction
  return { ...money, direction, ...describeTransfer(element, direction) }
}

type TransferDetails = Omit<BankTransaction, 'amount' | 'currency' | 'direction'>

function describeTransfer(element: XmlElement, direction: Direction): TransferDetails {
  const return_reason = readReturnReason(element)
  // The parties of a returned transfer are those of the original, which had the other direction.
  const is_payer = (direction === 'credit') === (return_reason === null)
  const { name, account } = readParty(element, is_payer ? 'Dbtr' : 'Cdtr')
  return {
    end_to_end_id: readReference(findText(element, 'Refs/EndToEndId')),
    payment_information_id: readReference(findText(element, 'Refs/PmtInfId')),
    creditor_reference: readReference(findText(element, 'RmtInf/Strd/CdtrRefInf/Ref')),
    counterparty_name: name,
    counterparty_iban: account.iban,
    counterparty_number: account.number,
    remittance: readRemittance(element),
    return_reason,
  }
}

function readReturnReason(element: XmlElement): string | null {
  const info = findElement(element, 'RtrInf')
  if (info === undefined) return null
  return cleanText(findText(info, 'Rsn/Cd', 'Rsn/Prtry')) ?? 'unknown'
}

function readParty(element: XmlElement, role: 'Dbtr' | 'Cdtr') {
  const of = `RltdPties/${role}`
  const name = findText(element, `${of}/Pty/Nm`, `${of}/Nm`, `RltdPties/Ultmt${role}/Pty/Nm`)
  const account = findText(element, `${of}Acct/Id/IBAN`, `${of}Acct/Id/Othr/Id`)
  return { name: cleanText(name), account: readAccount(account) }
}

function readRemittance(element: XmlElement): string | null {
  const written = [
    ...elementsAt(element, 'RmtInf/Ustrd'),
    ...elementsAt(element, 'RmtInf/Strd/AddtlRmtInf'),
  ]
  const texts = written.map((one) => one.text)
  return joinTexts(texts) ?? cleanText(findText(element, 'AddtlTxInf'))
}

interface Balances {
  opening: BankBalance | null
  closing: BankBalance | null
}

/**
 * The booked balances. A bank that splits a day into several statements marks the balances between
 * them as interim (ITBD): the first takes the place of a missing opening balance, the last that of
 * a missing closing balance.
 */
export function readCamtBalances(elements: XmlElement[]): Balances {
  const balances = elements.map((one) => ({ code: findText(one, 'Tp/CdOrPrtry/Cd'), element: one }))
  const ofCode = (code: string) =>
    balances.filter((one) => one.code === code).map((one) => one.element)
  const interim = ofCode('ITBD')
  const opening = ofCode('OPBD')[0] ?? ofCode('PRCD')[0] ?? interim.shift()
  const closing = ofCode('CLBD')[0] ?? interim.at(-1)
  return {
    opening: opening === undefined ? null : readBalance(opening),
    closing: closing === undefined ? null : readBalance(closing),
  }
}

function readBalance(element: XmlElement): BankBalance {
  const { amount, currency } = readMoney(getElement(element, 'Amt'))
  const sign = readDirection(element) === 'credit' || amount === 0 ? 1 : -1
  return { amount: sign * amount, currency, on: readDate(findElement(element, 'Dt')) }
}
