// The CSV files of florin import: quoting, line numbers and the rules of each column.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '../../src/cli/client/csv.ts'
import { readTransactions } from '../../src/cli/client/read-transactions.ts'

const fieldsOf = (text: string) => readCsv(text).map(({ fields }) => fields)

test('reads quoted fields, CRLF, a byte order mark and a last line without an end', () => {
  const text = '\ufeffa,b\r\n"x, ""y""","two\nlines"\r\n\r\n,\n"",z'
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

test('rejects what is not CSV, with its line', () => {
  assert.throws(() => readCsv('a\n"b'), /^UsageError: Line 2 is not valid CSV: .*closing/)
  assert.throws(() => readCsv('a\n"b"c'), /^UsageError: Line 2 .*neither a comma nor the end/)
  assert.throws(() => readCsv('a\rb'), /^UsageError: Line 1 /)
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

test('rejects unknown columns and invalid cells before anything is sent', () => {
  const head = 'amount,currency,type'
  const wrong: [text: string, message: RegExp][] = [
    ['', /The file is empty/],
    ['amount,type\n', /The column "currency" is missing/],
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
  ]
  for (const [text, message] of wrong) {
    assert.throws(() => readTransactions(text), { name: 'UsageError', message }, text)
  }
})
