import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvAmount } from '../../src/primitives/money.ts'
import { csvRecord } from '../../src/primitives/text.ts'
import { parseCsv } from '../support/parse-csv.ts'

test('a record ends with CRLF, and fields are quoted only if necessary', () => {
  assert.equal(csvRecord(['a', 1, null, 'b c']), 'a,1,,b c\r\n')
  assert.equal(csvRecord(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n')
})

test('escapes a text that a spreadsheet would evaluate as a formula', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    const [[field = '']] = parseCsv(csvRecord([`${start}1+1`, 'end'])) as [string[]]
    assert.equal(field, `'${start}1+1`)
  }
  assert.equal(csvRecord(['a=1', '1-1', "'="]), "a=1,1-1,'=\r\n")
})

test('does not escape numbers, including negative ones', () => {
  assert.equal(csvRecord([-500, 0, Number.MAX_SAFE_INTEGER]), '-500,0,9007199254740991\r\n')
})

test('an amount has the digits of its currency, and is not escaped', () => {
  const amounts = [csvAmount(33_600, 'USD'), csvAmount(-5, 'USD'), csvAmount(-1_234, 'JPY')]
  assert.equal(csvRecord([...amounts, csvAmount(1, 'KWD')]), '336.00,-0.05,-1234,0.001\r\n')
})

test('escapes a formula inside a text, for spreadsheets that split at semicolons', () => {
  const written = (text: string) => (parseCsv(csvRecord(['id', text])) as [string[]])[0][1]
  assert.equal(written("Rechnung 7;=cmd|' /C calc'!A0;"), "Rechnung 7;'=cmd|' /C calc'!A0;")
  assert.equal(written('a;"=1+1'), `a;'"=1+1`, 'quotes before a formula do not matter')
  assert.equal(written('a\n+1\r\n-1\t@x;＝1'), "a\n'+1\r\n'-1\t'@x;'＝1")
  // A text with a comma is quoted, so a price may end with a comma.
  for (const plain of ['A-1; -5 %', 'Rechnung 5,- EUR', 'a;b;c=d', "it's;fine", 'two\r\nlines']) {
    assert.equal(written(plain), plain)
  }
})

// Texts built from dangerous characters, which uniformly random texts would rarely combine.
const harmful = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '＝', ';', ',', '\t', '\r', '\n', '"', "'", ' ', 'a'),
  maxLength: 12,
})

test('no cell starts like a formula, for any separator', () => {
  const file = fc.array(fc.array(harmful, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
  fc.assert(
    fc.property(file, fc.constantFrom(',', ';', '\t'), (records, separator) => {
      for (const cell of cellsOf(records.map(csvRecord).join(''), separator)) {
        assert.doesNotMatch(cell.replace(/^[\r\n]+/, ''), /^[=+\-@\t＝＋－＠]/)
      }
    }),
    { numRuns: 5_000 },
  )
})

/** Parses like a spreadsheet: quotes count only at the start of a cell. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') break
        if (text[at] === '"') at += 1
        cell += text[at]
      }
      at += 1
    }
    while (at < text.length && !`${separator}\r\n`.includes(text[at]!)) {
      cell += text[at]
      at += 1
    }
    cells.push(cell)
  }
  return cells
}

test('any text round-trips, except for added apostrophes', () => {
  const field = fc.oneof(fc.string(), harmful, fc.constantFrom('\r\n', '-1', ''))
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      const records = parseCsv(csvRecord(fields))
      assert.equal(records.length, 1)
      const bare = (texts: string[]) => texts.map((text) => text.replaceAll("'", ''))
      assert.deepEqual(bare(records[0]!), bare(fields))
      for (const text of records[0]!) assert.doesNotMatch(text, /^[=+\-@\t\r\n]/)
    }),
    { numRuns: 500 },
  )
})
