import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvRecord } from '../../src/primitives/csv.ts'
import { parseCsv } from '../support/parse-csv.ts'

test('a record ends with CRLF, and fields are quoted only where they must be', () => {
  assert.equal(csvRecord(['a', 1, null, 'b c']), 'a,1,,b c\r\n')
  assert.equal(csvRecord(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n')
})

test('a text that a spreadsheet would take for a formula becomes text', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    const [[field = '']] = parseCsv(csvRecord([`${start}1+1`, 'end'])) as [string[]]
    assert.equal(field, `'${start}1+1`)
  }
  assert.equal(csvRecord(['a=1', '1-1', "'="]), "a=1,1-1,'=\r\n")
})

test('a number stays a number, negative ones too', () => {
  assert.equal(csvRecord([-500, 0, Number.MAX_SAFE_INTEGER]), '-500,0,9007199254740991\r\n')
})

test('whatever the text, it is read back as it was, behind an apostrophe at the most', () => {
  const field = fc.oneof(fc.string(), fc.constantFrom('"', '=', ',', '\r\n', '-1', "'", ''))
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      const records = parseCsv(csvRecord(fields))
      assert.equal(records.length, 1)
      assert.deepEqual(
        records[0]!.map((text, at) => (text === fields[at] ? text : text.replace(/^'/, ''))),
        fields,
      )
      for (const text of records[0]!) assert.doesNotMatch(text, /^[=+\-@\t\r\n]/)
    }),
    { numRuns: 500 },
  )
})
