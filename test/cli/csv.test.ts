// The CSV files of florin import: quoting, line numbers and the rules of each column.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCsv, readCsv } from '../../src/cli/client/csv.ts'
import { readTransactions } from '../../src/cli/client/read-transactions.ts'

const fieldsOf = (text: string) => readCsv(text).map(({ fields }) => fields)
const encode = (text: string, encoding?: BufferEncoding) => Buffer.from(text, encoding)

test('reads quoted fields, CRLF, a byte order mark and a last line without an end', () => {
  const text = decodeCsv(encode('\ufeffa,b\r\n"x, ""y""","two\nlines"\r\n\r\n,\n"",z'))
  assert.deepEqual(fieldsOf(text), [
    ['a', 'b'],
    ['x, "y"', 'two\nlines'],
    ['', ''],
    ['', 'z'],
  ])
  assert.deepEqual(
    readCsv(text).map(({ line }) => line),
    [1, 2, 5, 6],
  )
  assert.deepEqual(fieldsOf(''), [])
})

test('rejects other encodings, which spreadsheets save', () => {
  for (const bytes of [encode('Zürich', 'latin1'), encode('\ufeffamount', 'utf16le')]) {
    assert.throws(() => decodeCsv(bytes), /^UsageError: The file must be UTF-8 text/)
  }
  assert.equal(decodeCsv(encode('Zürich')), 'Zürich')
})

test('rejects what is not CSV, with its line', () => {
  assert.throws(() => readCsv('a\n"b'), /^UsageError: Line 2 is not valid CSV: .*closing/)
  assert.throws(() => readCsv('a\n"b"c'), /^UsageError: Line 2 .*neither a comma nor the end/)
  assert.throws(() => readCsv('a\rb'), /^UsageError: Line 1 /)
  const large = `a\n"${'b\n'.repeat(5_000_000)}`
  assert.throws(() => readCsv(large), /^UsageError: Line 2 is not valid CSV: .*closing/)
  assert.equal(readCsv(`${large}"`)[1]!.fields[0]!.length, 10_000_000)
})

test('converts columns in any order; empty cells are omitted', () => {
  const text =
    'type,reference,amount,metadata.order,currency,metadata.__proto__\n' +
    'payment,"Invoice, 1",7500,114,USD,\nrefund,,1,,EUR,x\n'
  assert.deepEqual(readTransactions(text), [
    {
      line: 2,
      transaction: {
        amount: 7500,
        currency: 'USD',
        type: 'payment',
        reference: 'Invoice, 1',
        metadata: { order: '114' },
      },
    },
    {
      line: 3,
      transaction: {
        amount: 1,
        currency: 'EUR',
        type: 'refund',
        metadata: Object.fromEntries([['__proto__', 'x']]),
      },
    },
  ])
})

test('reports several invalid lines at once', () => {
  const lines = ['1,USD,payment', '0,USD,payment', '1,USD', ...Array(10).fill('1,usd,payment')]
  const text = ['amount,currency,type', ...lines].join('\n')
  const lines_shown = /^UsageError: Line 3: "amount" .*\nLine 4 must .*\nLine 5: /
  assert.throws(() => readTransactions(text), lines_shown)
  assert.throws(() => readTransactions(text), /\n2 more lines are invalid\.\nNothing/)
})

test('rejects unknown columns and invalid cells before anything is sent', () => {
  const head = 'amount,currency,type'
  const wrong: [text: string, message: RegExp][] = [
    ['', /The file is empty/],
    ['amount,type\n', /The column "currency" is missing/],
    ['Amount,currency,type\n', /"Amount" is not a column .*Did you mean amount\?/],
    ['amount;currency;type\n1;USD;payment', /separated by commas; got ";"\. The first line/],
    ['amount\tcurrency\n', /separated by commas; got "\\t"/],
    [`${head},,\n`, /Column 4 has no name\./],
    ['7500,USD,payment\n', /"7500" is not a column .*The first line names the columns/],
    [`${head},refrence\n`, /"refrence" is not a column .*Did you mean reference\?/],
    [`${head},metadata.\n`, /"metadata\." is not a column/],
    [`${head},amount\n`, /The column "amount" appears twice/],
    [`${head}\n1,USD\n`, /Line 2 must have 3 fields, as the first line; got 2\./],
    [`${head}\n1,USD,payment\n75.00,USD,payment`, /Line 3: "amount" must .*; got "75\.00"\./],
    [`${head}\n0,USD,payment`, /Line 2: "amount"/],
    [`${head}\n1e3,USD,payment`, /Line 2: "amount"/],
    [`${head}\n1000000000000,USD,payment`, /Line 2: "amount"/],
    [`${head}\n1,usd,payment`, /Line 2: "currency" must .*; got "usd"\./],
    [`${head}\n1,USD,sale`, /Line 2: "type" must .*; got "sale"\./],
    [`${head},reference\n1,USD,payment,${'ä'.repeat(256)}`, /Line 2: "reference" .*; got 256\./],
    [`${head},reference\n1,USD,payment,"a\nb"`, /Line 2: "reference" must be one line/],
    [`${head},metadata.a\n1,USD,payment,${'b'.repeat(16_384)}`, /Line 2: "metadata" .*16384 bytes/],
    [`${head},metadata.${'k'.repeat(41)}\n1,USD,payment,b`, /Line 2: "metadata" .*40 characters/],
  ]
  for (const [text, message] of wrong) {
    assert.throws(() => readTransactions(text), { name: 'UsageError', message }, text)
  }
  const longest = `${head},reference\n1,USD,payment,${'😀'.repeat(255)}`
  assert.equal(readTransactions(longest).length, 1)
})
