// What the samples of every format do not contain: MT940, OFX and CSV as banks write them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnMap } from '../../../src/bank/statements/column-map.ts'
import { readAll } from './read-all.ts'
import { columnMap, writeMt940, writeOfx } from './write-samples.ts'

const mt940 = (entries: string, closing = 'C261118EUR100,00') =>
  ':20:X\r\n:25:37040044/532013000\r\n:28C:12/1\r\n:60F:C261117EUR100,00\r\n' +
  `${entries}:62F:${closing}\r\n`

async function readMt940Entries(entries: string) {
  const [statement] = await readAll(mt940(entries))
  return statement!.entries
}

test('MT940: skips the headers of SWIFT, and reads several statements', async () => {
  const one = mt940('')
  const swift = `{1:F01COBADEFFAXXX0000000000}{2:I940X}{4:\r\n${one}-}{5:{CHK:1}}\r\n`
  const statements = await readAll(`ABNANL2A\r\n940\r\nABNANL2A\r\n${one}-\r\n${swift}${swift}`)
  assert.equal(statements.length, 3)
  const [first] = statements
  assert.deepEqual(first!.account, { iban: null, number: '37040044/532013000' })
  assert.deepEqual(first!.sequence, '12/1')
  const dutch = one.replace('37040044/532013000', 'NL91ABNA0417164300EUR')
  assert.equal((await readAll(dutch))[0]!.account.iban, 'NL91ABNA0417164300')
})

test('MT940: reads marks, dates around new year, and references', async () => {
  const [credit, debit, reversed, expected] = await readMt940Entries(
    ':61:2601021231CR1,5NTRFNONREF//B-1\r\n:86:plain text\r\n' +
      ':61:2512310102D2,00FCHGpo-1\r\nsupplementary\r\n' +
      ':61:251231RC3,NMSCX//B-3\r\n:61:251231EC4,00NMSCX\r\n',
  )
  assert.deepEqual(
    [credit!.amount, credit!.direction, credit!.bank_reference],
    [150, 'credit', 'B-1'],
  )
  assert.deepEqual([credit!.booked_on, credit!.value_on], ['2025-12-31', '2026-01-02'])
  assert.equal(credit!.transactions[0]!.remittance, 'plain text')
  assert.deepEqual([debit!.booked_on, debit!.value_on], ['2026-01-02', '2025-12-31'])
  assert.equal(debit!.transactions[0]!.end_to_end_id, 'po-1')
  assert.equal(debit!.description, 'supplementary')
  assert.deepEqual([reversed!.direction, reversed!.is_reversal], ['debit', true])
  assert.equal(expected!.is_booked, false)
})

test('MT940: reads the details of German, Dutch and other banks', async () => {
  const cases: [string, object][] = [
    [
      '166?00GUTSCHRIFT?20EREF+E-7?21SVWZ+Rechnung 7 RF18 5390?220754 7034?30COBADEFF?31DE8937' +
        '0400440532013000?32Jane?33 Doe',
      {
        end_to_end_id: 'E-7',
        remittance: 'Rechnung 7 RF18 53900754 7034',
        counterparty_name: 'Jane Doe',
        counterparty_iban: 'DE89370400440532013000',
      },
    ],
    ['159?00RETOURE?20EREF+po-1?21SVWZ+AC04 Konto geschlossen', { return_reason: 'AC04' }],
    [
      '177?20Miete November?21 2026?31532013000',
      { remittance: 'Miete November 2026', counterparty_number: '532013000' },
    ],
    [
      '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J DOE' +
        '/REMI/FACTUUR 7/EREF/E-7',
      { counterparty_name: 'J DOE', remittance: 'FACTUUR 7', end_to_end_id: 'E-7' },
    ],
    [
      '/EREF/NOTPROVIDED//CNTP/NL91ABNA0417164300/ABNANL2A/J DOE/UTRECHT/' +
        '/REMI/STRD/CUR/RF18539007547034/',
      {
        counterparty_name: 'J DOE',
        counterparty_iban: 'NL91ABNA0417164300',
        creditor_reference: 'RF18539007547034',
        remittance: null,
      },
    ],
    [`${'x'.repeat(65)}\r\ny\r\nz`, { remittance: `${'x'.repeat(65)}y z` }],
  ]
  for (const [details, expected] of cases) {
    const [entry] = await readMt940Entries(`:61:261118C1,00NTRFNONREF\r\n:86:${details}\r\n`)
    const found = { ...entry!.transactions[0]! }
    for (const name of Object.keys(found))
      if (!(name in expected)) Reflect.deleteProperty(found, name)
    assert.deepEqual(found, expected)
  }
})

test('MT940: the text of a payer sets no account, and no reason of a return', async () => {
  const mule = 'FR1420041010050500013M02606'
  const real = 'NL91ABNA0417164300'
  const unknown = { counterparty_iban: null, counterparty_number: null }
  const payer = { counterparty_iban: real, counterparty_name: 'J DOE', return_reason: null }
  const written = `RF18539007547034/IBAN/${mule}/NAME/MULE/RTRN/AC04`
  const cases: [string, object][] = [
    [
      `/TRTP/SEPA OVERBOEKING/IBAN/${real}/BIC/ABNANL2A/NAME/J DOE/REMI/${written}/EREF/E-7`,
      { ...payer, remittance: written, end_to_end_id: 'E-7' },
    ],
    [`/EREF/E-7//CNTP/${real}/ABNANL2A/J DOE//REMI/USTD//${written}`, payer],
    // A reference of the payer.
    [`/EREF/X/IBAN/${mule}//CNTP/${real}/ABNANL2A/J DOE//REMI/7`, { ...unknown, remittance: '7' }],
    // The bank writes the reference after the text, or before it.
    [`/IBAN/${real}/REMI/A/EREF/PO-2/EREF/PO-1`, { remittance: 'A', end_to_end_id: 'PO-1' }],
    [`/EREF/PO-1/REMI/A/EREF/PO-2`, { remittance: 'A', end_to_end_id: 'PO-1' }],
    [`/MARF/7/RTRN/MS03/IBAN/${real}/NAME/J DOE/REMI/A`, { ...payer, return_reason: 'MS03' }],
    [
      `166?00GUTSCHRIFT?20EREF+PO-1?21SVWZ+A EREF+PO-2 IBAN+${mule}?31${real}?32J DOE`,
      { ...payer, end_to_end_id: 'PO-1' },
    ],
    [`166?20SVWZ+A IBAN: ${mule}?32J DOE`, { ...unknown, remittance: `A IBAN: ${mule}` }],
    [`166?20SVWZ+A ?31${mule}?21 B?32J DOE`, unknown],
    [`166?20SVWZ+A?31${real}?32J DOE?60 B?31${mule}`, unknown],
    // A bank writes each number once, in ascending order.
    [`166?00A?20SVWZ+B ?00STRIPE?31${real}?32J DOE`, { counterparty_name: null }],
    [`166?00A?20SVWZ+B ?33 STRIPE?31${real}?32J DOE`, { counterparty_name: null }],
    [`166?20A EREF+PO-2?21EREF+PO-1`, { remittance: 'A', end_to_end_id: 'PO-1' }],
    [written, { ...unknown, remittance: written, return_reason: null }],
  ]
  for (const [details, expected] of cases) {
    const [entry] = await readMt940Entries(`:61:261118C1,00NTRFNONREF\r\n:86:${details}\r\n`)
    assert.partialDeepStrictEqual(entry!.transactions[0]!, expected, details)
  }
})

test('MT940: errors name line and field', async () => {
  const cases: [string, RegExp][] = [
    [mt940(':61:bad\r\n'), /^Line 5, :61:: an entry must have the form YYMMDD.*; got "bad"/],
    [
      mt940('', 'C261118EUR1.00'),
      /^Line 5, :62F:: a balance must have the form .*; got "C261118EUR1\.00"/,
    ],
    [mt940('', 'C261118EUR1,005'), /an amount in EUR must have at most 2 decimal digits/],
    [mt940('', 'C261318EUR1,00'), /a date must exist in the calendar/],
    [mt940(':60F:C261117EUR1,00\r\n'), /:60F: occurs twice in a statement/],
    [mt940('').replace(/:60F:.*\r\n/, ':61:261118C1,00NTRFX\r\n'), /the opening balance .* MT942/],
    [mt940('').replace(/:62F:.*/, ''), /Line 1, :20:: the closing balance in :62F: is missing/],
    [`${mt940('')}:61:261118C1,00NTRFX\r\n`, /an entry must not follow the closing balance/],
    [`${mt940('')}-\r\n:61:261118C1,00NTRFX\r\n`, /a statement must start with :20:/],
  ]
  for (const [file, message] of cases) {
    await assert.rejects(readAll(file), { name: 'BankFileError', message })
  }
})

test('MT940: reads Windows-1252 and UTF-8, even in one file', async () => {
  const text = (name: string) => `:61:261118C1,00NTRFNONREF\r\n:86:${name}\r\n`
  const [first, second] = mt940(text('Müller') + text('Größe')).split('Größe')
  const file = Buffer.concat([Buffer.from(first!, 'latin1'), Buffer.from(`Größe${second}`)])
  const [statement] = await readAll(file)
  const texts = statement!.entries.map((entry) => entry.transactions[0]!.remittance)
  assert.deepEqual(texts, ['Müller', 'Größe'])
})

const ofx = writeOfx(
  {
    iban: 'DE89370400440532013000',
    sequence: 1,
    opening: 0,
    entries: [
      {
        signed: -1_250,
        booked_on: '2026-11-18',
        reference: 'FIT1',
        end_to_end_id: null,
        name: 'Coffee',
        iban: '12345',
        text: 'memo',
      },
    ],
  },
  'sgml',
)

test('OFX: reads empty values, decimal commas, unescaped signs and another currency', async () => {
  const changed = ofx
    .replace('<MEMO>memo', '<MEMO>\n<CHECKNUM>\n<NAME>AT&T &amp; Co')
    .replace('-12.50', '-12,50')
    .replace('</STMTTRN>', '<CURRENCY><CURRATE>1.1<CURSYM>USD</CURRENCY></STMTTRN>')
  const [statement] = await readAll(changed)
  const [entry] = statement!.entries
  assert.deepEqual([entry!.amount, entry!.currency, entry!.direction], [1_250, 'USD', 'debit'])
  assert.equal(entry!.transactions[0]!.counterparty_name, 'AT&T & Co')
  assert.equal(entry!.transactions[0]!.counterparty_number, '12345')
  assert.equal(entry!.transactions[0]!.remittance, null)
  assert.equal(statement!.closing!.amount, -1_250)
  assert.equal(statement!.difference, null)
})

test('OFX: errors name line and element', async () => {
  const cases: [string, RegExp][] = [
    [ofx.replace(/<FITID>.*\n/, ''), /^Line 26, <STMTTRN>: <FITID> is missing/],
    [
      ofx.replace('-12.50', 'twelve'),
      /<STMTTRN>: an amount must be a decimal number; got "twelve"/,
    ],
    [ofx.replace('<CURDEF>EUR', ''), /<CURDEF> before this element is missing/],
    [ofx.replace('<DTPOSTED>2026', '<DTPOSTED>'), /a date must/],
    [ofx.replace('</STMTTRN>', ''), /expected <\/STMTTRN>; got <\/BANKTRANLIST>/],
    [ofx.replace('</OFX>', ''), /the file ends without <\/OFX>/],
  ]
  for (const [file, message] of cases) {
    await assert.rejects(readAll(file), { name: 'BankFileError', message })
  }
})

const csv = (rows: string) => `Date,Amount,Who\n${rows}`

function mapOf(
  changes: Partial<ColumnMap>,
  columns: Partial<ColumnMap['columns']> = {},
): ColumnMap {
  return {
    ...columnMap,
    delimiter: ',',
    decimal_sign: '.',
    date_format: 'M/D/YY',
    ...changes,
    columns: { booked_on: 'Date', amount: 'Amount', counterparty_name: 'Who', ...columns },
  }
}

test('CSV: reads amounts and dates as the map states', async () => {
  const amounts: [string, ',' | '.', number][] = [
    ['1,234.56', '.', 123_456],
    ['1.234,56', ',', 123_456],
    ['-12,5', ',', -1_250],
    ['12,50-', ',', -1_250],
    ['(12.50)', '.', -1_250],
    ['\u221212.50', '.', -1_250],
    ["1'234.50", '.', 123_450],
    ['1 234,50', ',', 123_450],
    ['€ 12,50', ',', 1_250],
    ['12,50 EUR', ',', 1_250],
    ['+7', ',', 700],
    ['.5', '.', 50],
  ]
  for (const [text, decimal_sign, expected] of amounts) {
    const map = mapOf({ decimal_sign, delimiter: ';' }, { counterparty_name: 3 })
    const [statement] = await readAll(`Date;Amount;Who\n1/2/26;${text};x\n`, map)
    const [entry] = statement!.entries
    assert.equal(entry!.direction === 'debit' ? -entry!.amount : entry!.amount, expected, text)
    assert.equal(entry!.booked_on, '2026-01-02')
  }
  for (const text of ['1.23', '1,2,3', '12,50', '1,2345.00', '--5', 'x', '']) {
    const map = mapOf({ delimiter: ';', decimal_sign: text === '1.23' ? ',' : '.' })
    await assert.rejects(readAll(`Date;Amount;Who\n1/2/26;${text};x\n`, map), /Line 2, column/)
  }
})

test('CSV: reads quotes, line ends in fields, and columns by number', async () => {
  const map = mapOf({ skipped_lines: 1 }, { booked_on: 1, amount: 2, counterparty_name: 3 })
  const [statement] = await readAll(csv('1/2/26, "5.00" ,"Jane ""J""\nDoe, Jr."\n\n,,\n'), map)
  const [entry, ...others] = statement!.entries
  assert.deepEqual(others, [])
  assert.equal(entry!.transactions[0]!.counterparty_name, 'Jane "J" Doe, Jr.')
})

test('CSV: reads two columns for amounts, or a mark', async () => {
  const two = 'Date,In,Out\n1/2/26,5.00,\n1/2/26,,-3.00\n1/2/26,0.00,2\n'
  const in_two = { ...mapOf({}), columns: { booked_on: 'Date', credit: 'In', debit: 'Out' } }
  const [statement] = await readAll(two, in_two)
  assert.deepEqual(
    statement!.entries.map((one) => [one.direction, one.amount]),
    [
      ['credit', 500],
      ['debit', 300],
      ['debit', 200],
    ],
  )
  await assert.rejects(
    readAll('Date,In,Out\n1/2/26,5,3\n', in_two),
    /exclude each other; got "5 and 3"/,
  )
  const direction = { column: 'Who', credit: 'H', debit: 'S' }
  const marked = mapOf({}, { direction })
  const [other] = await readAll(csv('1/2/26,5,H\n1/2/26,5,S\n'), marked)
  assert.deepEqual(
    other!.entries.map((one) => one.direction),
    ['credit', 'debit'],
  )
  await assert.rejects(readAll(csv('1/2/26,5,Q\n'), marked), /must be "H" or "S"; got "Q"/)
})

test('CSV: reads UTF-8, Latin-1 and UTF-16', async () => {
  const text = csv('1/2/26,5,Müller\n')
  for (const file of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(text, 'latin1'),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  ]) {
    const [statement] = await readAll(file, mapOf({}))
    assert.equal(statement!.entries[0]!.transactions[0]!.counterparty_name, 'Müller')
  }
  const strict = mapOf({ encoding: 'utf-8' })
  await assert.rejects(readAll(Buffer.from(text, 'latin1'), strict), { rule: 'encoding' })
})

test('CSV: a map that does not fit is rejected with the column', async () => {
  const cases: [string, ColumnMap, RegExp][] = [
    [csv('1/2/26,5\n'), mapOf({}), /^Line 2: the row has 2 columns, but the map needs column 3/],
    [
      csv('x,5,y\n'),
      mapOf({}),
      /^Line 2, column "Date": a date must have the form M\/D\/YY; got "x"/,
    ],
    [csv('13/1/26,5,y\n'), mapOf({}), /a date must exist in the calendar; got "13\/1\/26"/],
    [csv(',5,y\n'), mapOf({}), /column "Date": the date is missing/],
    [csv('1/2/26,,y\n'), mapOf({}), /column "Amount": the amount is missing/],
    [
      csv('').replace('Amount', 'Amounts'),
      mapOf({}),
      /no row has the column "Amount"; .*Did you mean "Amounts"/,
    ],
    [csv('"a\n'), mapOf({}), /^Line 2: a quoted field has no closing quote/],
    [csv('"a"b,1,2\n'), mapOf({}), /Line 2, field 1: a closing quote must be followed/],
    [
      csv(''),
      mapOf({ date_format: 'DD.MM' }),
      /"column_map.date_format" must have YYYY or YY.*"DD\.MM"/,
    ],
    [csv(''), mapOf({ currency: 'XYZ' }), /"column_map.currency" must be a code of ISO 4217/],
    [
      csv(''),
      mapOf({ decimal_sign: ',' }),
      /"column_map.decimal_sign" must differ from "delimiter"/,
    ],
    [
      csv(''),
      mapOf({}, { credit: 'In' }),
      /"column_map.columns" must have either "amount", or both/,
    ],
    [csv(''), mapOf({}, { booked_on: 0 }), /must be names, or numbers from 1; got "0"/],
  ]
  for (const [file, map, message] of cases) await assert.rejects(readAll(file, map), { message })
})

test('MT940: an account without an entry has a start and an end', async () => {
  const file = writeMt940({ iban: 'DE89370400440532013000', sequence: 1, opening: 5, entries: [] })
  const [statement] = await readAll(file)
  assert.deepEqual(
    [statement!.entry_count, statement!.booked_sum, statement!.difference],
    [0, 0, 0],
  )
})
