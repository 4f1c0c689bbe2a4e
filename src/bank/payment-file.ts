// Payment files for a bank: pain.001 of ISO 20022, version 09 or, for older banks, 03. One file has
// transfers of one currency from one account.

import { minorDigits } from '../primitives/currencies.ts'
import { decimalText, isAmount } from '../primitives/money.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { isCreditorReference } from './creditor-reference.ts'
import { sepa_amount_max } from './epc-qr.ts'
import { bicError, findBic, findIban, ibanError } from './iban.ts'
import { toSepaId, toSepaText } from './sepa-text.ts'

export interface PaymentFile {
  version: '03' | '09'
  /** Unique for each file: a bank rejects a second one with the same id. */
  id: string
  created_at: Date
  /** YYYY-MM-DD. */
  execute_on: string
  currency: string
  debtor: BankParty
  transfers: OutgoingTransfer[]
}

interface BankParty {
  name: string
  iban: string
  bic: string | null
}

interface OutgoingTransfer {
  /** Returned in the statement. Unique in the file. */
  id: string
  amount: number
  creditor: BankParty
  /** A creditor reference is written in its structured form. */
  remittance: string
}

/** Pieces of the XML document. Everything is checked before the first one. */
export function* writePaymentFile(file: PaymentFile): Generator<string> {
  const names = elementNames[file.version]
  const debtor = checkParty(file, file.debtor, 'debtor')
  const transfers = checkTransfers(file)
  const id = checkId(file.id, 'id')
  checkDate(file)
  const totals =
    element('NbOfTxs', String(transfers.length)) + element('CtrlSum', totalOf(file, transfers))
  const namespace = `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${file.version}`
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<Document xmlns="${namespace}"><CstmrCdtTrfInitn>\n`
  yield parent(
    'GrpHdr',
    element('MsgId', id) +
      element('CreDtTm', `${file.created_at.toISOString().slice(0, 19)}Z`) +
      totals +
      parent('InitgPty', element('Nm', debtor.name)),
  )
  yield '\n<PmtInf>'
  yield element('PmtInfId', id)
  yield element('PmtMtd', 'TRF')
  yield totals
  if (file.currency === 'EUR') yield parent('PmtTpInf', parent('SvcLvl', element('Cd', 'SEPA')))
  const date = element(names.date, file.execute_on)
  yield file.version === '03' ? date : parent('ReqdExctnDt', date)
  yield parent('Dbtr', element('Nm', debtor.name))
  yield parent('DbtrAcct', parent('Id', element('IBAN', debtor.iban)))
  yield agent('DbtrAgt', debtor.bic, names.bic) ?? notProvided
  // Each party pays the charges of its bank, the only rule in the SEPA.
  yield element('ChrgBr', file.currency === 'EUR' ? 'SLEV' : 'SHAR')
  for (const transfer of transfers) yield transferText(transfer, file.currency, names.bic)
  yield '\n</PmtInf>\n</CstmrCdtTrfInitn></Document>\n'
}

const elementNames = {
  '03': { date: 'ReqdExctnDt', bic: 'BIC' },
  '09': { date: 'Dt', bic: 'BICFI' },
}

const notProvided = parent(
  'DbtrAgt',
  parent('FinInstnId', parent('Othr', element('Id', 'NOTPROVIDED'))),
)

function transferText(transfer: OutgoingTransfer, currency: string, bic_name: string): string {
  const { id, amount, creditor, remittance } = transfer
  const decimal = decimalText(amount, minorDigits(currency))
  const text =
    parent('PmtId', element('EndToEndId', id)) +
    parent('Amt', `<InstdAmt Ccy="${currency}">${decimal}</InstdAmt>`) +
    (agent('CdtrAgt', creditor.bic, bic_name) ?? '') +
    parent('Cdtr', element('Nm', creditor.name)) +
    parent('CdtrAcct', parent('Id', element('IBAN', creditor.iban))) +
    parent('RmtInf', remittanceText(remittance))
  return `\n${parent('CdtTrfTxInf', text)}`
}

function remittanceText(remittance: string): string {
  if (!isCreditorReference(remittance)) return element('Ustrd', remittance)
  const type = parent('CdOrPrtry', element('Cd', 'SCOR')) + element('Issr', 'ISO')
  return parent('Strd', parent('CdtrRefInf', parent('Tp', type) + element('Ref', remittance)))
}

function agent(name: string, bic: string | null, bic_name: string): string | undefined {
  return bic === null ? undefined : parent(name, parent('FinInstnId', element(bic_name, bic)))
}

function parent(name: string, children: string): string {
  return `<${name}>${children}</${name}>`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function element(name: string, text: string): string {
  return parent(
    name,
    text.replace(/[&<>]/g, (character) => escapes[character]!),
  )
}

/** The sum of at most nine thousand maximum amounts is exact. */
function totalOf(file: PaymentFile, transfers: OutgoingTransfer[]): string {
  const sum = transfers.reduce((total, one) => total + one.amount, 0)
  if (!Number.isSafeInteger(sum)) {
    fail('transfers', 'must have a smaller sum', String(sum), 'Write several files.')
  }
  return decimalText(sum, minorDigits(file.currency))
}

function checkTransfers(file: PaymentFile): OutgoingTransfer[] {
  if (file.transfers.length === 0) {
    fail('transfers', 'must not be empty', '[]', 'Approve a payout first.')
  }
  const ids = new Set<string>()
  return file.transfers.map((transfer) => {
    const { id, amount, remittance } = transfer
    const checked = checkId(id, 'transfers.id')
    if (ids.has(checked)) fail('transfers.id', 'must be unique', id, 'Remove the duplicate.')
    ids.add(checked)
    checkAmount(amount, file.currency, id)
    const creditor = checkParty(file, transfer.creditor, `creditor of ${id}`)
    const text = isCreditorReference(remittance) ? remittance : toSepaText(remittance, 140)
    // Banks require a text in some countries, and the id helps the recipient to ask.
    return { id: checked, amount, creditor, remittance: text ?? checked }
  })
}

function checkAmount(amount: number, currency: string, id: string): void {
  const max = currency === 'EUR' ? sepa_amount_max : Number.MAX_SAFE_INTEGER
  if (isAmount(amount) && amount <= max) return
  fail('amount', `of ${id} must be from 1 to ${max} minor units`, String(amount), 'Split it.')
}

// Narrower than ISO 9362 since 2014. The IBAN identifies the bank without it.
const bicOf03 = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/

function checkParty({ version }: PaymentFile, party: BankParty, role: string): BankParty {
  const name = toSepaText(party.name, 70)
  if (name === undefined) {
    fail('name', `of the ${role} must have Latin letters or digits`, party.name, 'Transcribe it.')
  }
  const iban = findIban(party.iban)
  if (iban === undefined) throw new Refusal('invalid_request', ibanError('iban', party.iban)!)
  const bic = party.bic === null ? null : findBic(party.bic)
  if (bic === undefined) throw new Refusal('invalid_request', bicError('bic', party.bic!)!)
  const is_left_out = version === '03' && bic !== null && !bicOf03.test(bic)
  return { name, iban, bic: is_left_out ? null : bic }
}

function checkId(id: string, field: string): string {
  const checked = toSepaId(id)
  if (checked !== undefined) return checked
  return fail(field, 'must have 1 to 35 letters, digits or dashes', id, 'Use a shorter id.')
}

const day_ms = 86_400_000

function checkDate({ execute_on: date, created_at }: PaymentFile): void {
  const at = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date) ? Date.parse(date) : Number.NaN
  const advice = 'Use the next business day.'
  // Date.parse reads February 30 as March 2.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(date)) {
    fail('execute_on', 'must be a date, YYYY-MM-DD', date, advice)
  }
  // Yesterday in UTC may be today where the bank is.
  const days = (at - created_at.getTime()) / day_ms
  if (days < -2 || days > 366) {
    fail('execute_on', 'must be from today to a year from now', date, advice)
  }
}

function fail(field: string, rule: string, received: string, advice: string): never {
  throw new Refusal('invalid_request', `"${field}" ${rule}; got ${quote(received)}. ${advice}`)
}
