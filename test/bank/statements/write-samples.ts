// Writes the same statement in every format, as banks do. Independent of the readers.

import fc from 'fast-check'
import type { ColumnMap } from '../../../src/bank/statements/column-map.ts'

interface SampleEntry {
  /** In cents; negative for a debit. */
  signed: number
  booked_on: string
  reference: string | null
  end_to_end_id: string | null
  name: string
  iban: string
  text: string
}

export interface SampleStatement {
  iban: string
  sequence: number
  opening: number
  entries: SampleEntry[]
}

export const account_iban = 'DE89370400440532013000'
const payer_ibans = ['GB82WEST12345698765432', 'NL91ABNA0417164300', 'FR1420041010050500013M02606']

// The signs that XML escapes. No slash and plus, which structure field :86: of MT940.
const words = fc.string({
  unit: fc.constantFrom(...'abcXYZ 0123456789-.,&<>"\'äß€'),
  minLength: 1,
  maxLength: 60,
})

const day = fc
  .integer({ min: 0, max: 3_000 })
  .map((days) => new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10))

const codes = fc.string({
  unit: fc.constantFrom(...'ABCDEF0123456789'),
  minLength: 5,
  maxLength: 14,
})

const sampleEntry: fc.Arbitrary<SampleEntry> = fc.record({
  signed: fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
  booked_on: day,
  reference: fc.option(codes),
  end_to_end_id: fc.option(codes.map((code) => `E${code}`)),
  name: words.map(oneLine),
  iban: fc.constantFrom(...payer_ibans),
  text: words.map(oneLine),
})

export const sampleStatement: fc.Arbitrary<SampleStatement> = fc.record({
  iban: fc.constant(account_iban),
  sequence: fc.integer({ min: 1, max: 999 }),
  opening: fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
  entries: fc.array(sampleEntry, { maxLength: 6 }),
})

/** What the readers return: without spaces around, and with single spaces. Never empty. */
function oneLine(text: string): string {
  return text.replace(/ +/g, ' ').trim() || 'x'
}

export function closingOf(statement: SampleStatement): number {
  return statement.entries.reduce((sum, one) => sum + one.signed, statement.opening)
}

function decimal(amount: number, sign = '.'): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${digits.slice(0, -2)}${sign}${digits.slice(-2)}`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const mark = (amount: number) => `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`

/** In the paths of version 02 or, from 08 on, of the newer ones. */
export function writeCamt(
  statement: SampleStatement,
  version: string,
  kind: '053' | '054' = '053',
) {
  const is_new = Number(version) >= 8
  const balance = (code: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${decimal(amount)}</Amt>` +
    `${mark(amount)}<Dt><Dt>2026-11-18</Dt></Dt></Bal>\n`
  const balances = balance('OPBD', statement.opening) + balance('CLBD', closingOf(statement))
  const [message, part] =
    kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}">
<${message}><GrpHdr><MsgId>m1</MsgId><CreDtTm>2026-11-18T08:00:00+01:00</CreDtTm></GrpHdr>
<${part}><Id>stmt-${statement.sequence}</Id><ElctrncSeqNb>${statement.sequence}</ElctrncSeqNb>
<CreDtTm>2026-11-18T08:00:00+01:00</CreDtTm>
<Acct><Id><IBAN>${statement.iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${kind === '053' ? balances : ''}${statement.entries.map((one) => camtEntry(one, is_new)).join('')}
</${part}></${message}></Document>\n`
}

function camtEntry(entry: SampleEntry, is_new: boolean): string {
  const role = entry.signed < 0 ? 'Cdtr' : 'Dbtr'
  const name = is_new
    ? `<Pty><Nm>${escapeXml(entry.name)}</Nm></Pty>`
    : `<Nm>${escapeXml(entry.name)}</Nm>`
  const reference = entry.reference === null ? '' : `<AcctSvcrRef>${entry.reference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${decimal(entry.signed)}</Amt>${mark(entry.signed)}
<Sts>${is_new ? '<Cd>BOOK</Cd>' : 'BOOK'}</Sts><BookgDt><Dt>${entry.booked_on}</Dt></BookgDt>
<ValDt><Dt>${entry.booked_on}</Dt></ValDt>${reference}
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${entry.end_to_end_id ?? 'NOTPROVIDED'}</EndToEndId></Refs>
<RltdPties><${role}>${name}</${role}><${role}Acct><Id><IBAN>${entry.iban}</IBAN></Id></${role}Acct>
</RltdPties><RmtInf><Ustrd>${escapeXml(entry.text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`
}

const shortDay = (day_text: string) => day_text.slice(2).replaceAll('-', '')

export function writeMt940(statement: SampleStatement): string {
  const balance = (amount: number) => `${amount < 0 ? 'D' : 'C'}261118EUR${decimal(amount, ',')}`
  const entries = statement.entries.map(mt940Entry).join('')
  return `:20:STARTUMS\r\n:25:${statement.iban}\r\n:28C:${statement.sequence}/1\r\n:60F:${balance(
    statement.opening,
  )}\r\n${entries}:62F:${balance(closingOf(statement))}\r\n-\r\n`
}

function mt940Entry(entry: SampleEntry): string {
  const day_text = shortDay(entry.booked_on)
  const reference = entry.reference === null ? '' : `//${entry.reference}`
  const sign = entry.signed < 0 ? 'D' : 'C'
  const money = `${sign}${decimal(entry.signed, ',')}`
  const first = `:61:${day_text}${day_text.slice(2)}${money}NTRFNONREF${reference}\r\n`
  const id = entry.end_to_end_id === null ? '' : `EREF+${entry.end_to_end_id}`
  // Each subfield has at most 27 characters.
  const purpose = `${id}SVWZ+${entry.text}`.match(/.{1,27}/g)!
  const subfields = purpose.map((part, at) => `?${20 + at}${part}`)
  const names = entry.name.match(/.{1,27}/g)!.slice(0, 2)
  const party = `?31${entry.iban}${names.map((part, at) => `?${32 + at}${part}`).join('')}`
  return `${first}:86:166?00GUTSCHRIFT${subfields.join('')}${party}\r\n`
}

export function writeOfx(statement: SampleStatement, syntax: 'sgml' | 'xml'): string {
  const value = (name: string, text: string) =>
    syntax === 'xml' ? `<${name}>${escapeXml(text)}</${name}>\n` : `<${name}>${escapeXml(text)}\n`
  const entries = statement.entries.map((entry, at) =>
    [
      '<STMTTRN>\n',
      value('TRNTYPE', entry.signed < 0 ? 'DEBIT' : 'CREDIT'),
      value('DTPOSTED', `${entry.booked_on.replaceAll('-', '')}120000[-5:EST]`),
      value('TRNAMT', `${entry.signed < 0 ? '-' : ''}${decimal(entry.signed)}`),
      value('FITID', entry.reference ?? `F${at}`),
      value('NAME', entry.name),
      `<BANKACCTTO>\n${value('BANKID', '1')}${value('ACCTID', entry.iban)}`,
      `${value('ACCTTYPE', 'CHECKING')}</BANKACCTTO>\n`,
      value('MEMO', entry.text),
      '</STMTTRN>\n',
    ].join(''),
  )
  const head =
    syntax === 'xml'
      ? '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="203"' +
        ' SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n'
      : 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:UTF-8\r\n' +
        'CHARSET:NONE\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n'
  const closing = closingOf(statement)
  const account = value('BANKID', '1') + value('ACCTID', statement.iban)
  const status = `<STATUS>${value('CODE', '0')}${value('SEVERITY', 'INFO')}</STATUS>`
  return `${head}<OFX><SIGNONMSGSRSV1><SONRS>${status}${value('DTSERVER', '20261118')}${value(
    'LANGUAGE',
    'ENG',
  )}</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS>${value('TRNUID', '1')}${status}<STMTRS>
${value('CURDEF', 'EUR')}<BANKACCTFROM>${account}${value(
    'ACCTTYPE',
    'CHECKING',
  )}</BANKACCTFROM><BANKTRANLIST>${value('DTSTART', '20261101')}${value('DTEND', '20261118')}
${entries.join('')}</BANKTRANLIST><LEDGERBAL>${value(
    'BALAMT',
    `${closing < 0 ? '-' : ''}${decimal(closing)}`,
  )}${value('DTASOF', '20261118')}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`
}

export const columnMap: ColumnMap = {
  account: account_iban,
  currency: 'EUR',
  delimiter: ';',
  decimal_sign: ',',
  date_format: 'DD.MM.YYYY',
  encoding: 'auto',
  skipped_lines: 0,
  columns: {
    booked_on: 'Buchungstag',
    amount: 'Betrag',
    counterparty_name: 'Name',
    counterparty_account: 'IBAN',
    remittance: ['Verwendungszweck'],
    bank_reference: 'Referenz',
    end_to_end_id: 'EREF',
  },
}

function writeCsv(statement: SampleStatement): string {
  const field = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = statement.entries.map((entry) => {
    const whole = decimal(entry.signed, ',').replace(/\d(?=(\d{3})+,)/g, '$&.')
    return [
      entry.booked_on.split('-').reverse().join('.'),
      `${entry.signed < 0 ? '-' : ''}${whole}`,
      ...[entry.name, entry.iban, entry.text, entry.reference ?? '', entry.end_to_end_id ?? ''],
    ].map(field)
  })
  const header = ['Buchungstag', 'Betrag', 'Name', 'IBAN', 'Verwendungszweck', 'Referenz', 'EREF']
  const lines = [['"Konto"', field(statement.iban)], [], header, ...rows]
  return lines.map((line) => `${line.join(';')}\r\n`).join('')
}

export const formats: Record<string, (statement: SampleStatement) => string> = {
  'camt.053.001.02': (statement) => writeCamt(statement, '02'),
  'camt.053.001.08': (statement) => writeCamt(statement, '08'),
  'camt.054.001.08': (statement) => writeCamt(statement, '08', '054'),
  mt940: writeMt940,
  'ofx sgml': (statement) => writeOfx(statement, 'sgml'),
  'ofx xml': (statement) => writeOfx(statement, 'xml'),
  csv: writeCsv,
}
