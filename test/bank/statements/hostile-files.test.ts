// Files that are broken or made to harm. Each gets an error that names the rule.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError, type BankFileRule } from '../../../src/bank/statements/bank-file-error.ts'
import type { ColumnMap } from '../../../src/bank/statements/column-map.ts'
import { readStatementFile } from '../../../src/bank/statements/read-statement-file.ts'
import { readAll, readInChunks } from './read-all.ts'
import { account_iban, columnMap, formats, writeCamt } from './write-samples.ts'

const statement = { iban: account_iban, sequence: 7, opening: 0, entries: [] }
const camt = writeCamt(statement, '02')

async function rejects(file: string | Buffer, rule: BankFileRule, message?: RegExp): Promise<void> {
  const check = (error: unknown) => {
    assert.ok(error instanceof BankFileError, String(error))
    assert.equal(error.rule, rule, error.message)
    assert.match(error.message, /^Line \d+.*: .+\. .+\.$/s)
    if (message !== undefined) assert.match(error.message, message)
    return true
  }
  await assert.rejects(readAll(file), check)
  await assert.rejects(readInChunks(file, [1, 7, 50]), check)
}

const declared = (text: string) => camt.replace('<Document', `${text}<Document`)

test('a document type or an entity is rejected, in XML and SGML', async () => {
  const bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const outside = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  for (const text of [bomb, outside, '<!DOCTYPE html>', '<!ENTITY a "b">']) {
    await rejects(declared(text), 'forbidden_markup', /Line 2: .*document type or an entity/)
    await rejects(`OFXHEADER:100\n\n${text}<OFX></OFX>`, 'forbidden_markup')
  }
  const used = camt.replace('stmt-7', '&x;')
  await rejects(used, 'forbidden_markup', /an entity must be one of &lt; .*; got "&x;"/)
  await rejects(camt.replace('stmt-7', 'a & b'), 'forbidden_markup', /got "&"/)
  await rejects(camt.replace('stmt-7', '&#0;'), 'forbidden_markup')
  await rejects(camt.replace('stmt-7', '&#xD800;'), 'forbidden_markup')
  const [read] = await readAll(camt.replace('stmt-7', '&lt;&#65;&#x42;<![CDATA[<&x;]]><!-- & -->'))
  assert.equal(read!.id, '<AB<&x;')
})

test('malformed XML is rejected', async () => {
  const cases: [string, RegExp][] = [
    [camt.slice(0, -20), /the file ends inside of (a tag|<Document>)/],
    [camt.replace('</Acct>', '</Acc>'), /expected <\/Acct>; got "<\/Acc>"/],
    [`${camt}<x/>`, /must have one outermost element; got also <x>/],
    [`${camt}text`, /text must be inside of an element; got "text"/],
    [camt.replace('<Acct>', '<Acct a="1" a="2">'), /the attribute a occurs twice/],
    [camt.replace('<Acct>', '<Acct a=1>'), /must have the form name="value"; got "a=1"/],
    [camt.replace('<Acct>', '<p:Acct>'), /the prefix of p:Acct is not declared/],
    [camt.replace('<Acct>', '<1>'), /a tag must have a name; got "1"/],
    [camt.replace('<Acct>', '<Acct <b>'), /a "<" starts a tag inside of another tag/],
    [camt.replace('stmt-7', 'a]]>b'), /must not contain "]]>"/],
    [camt.replace('stmt-7', '<!-- a -- b -->'), /must not contain "--"/],
    [camt.replace('stmt-7', 'a\u0001'), /the character U\+0001 is not allowed/],
    [camt.replace('<Acct>', '<?xml version="1.0"?><Acct>'), /is not allowed here/],
    [camt.replace('<Acct>', '<x>'.repeat(100)), /nested at most 64 deep/],
    [camt.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'), /must contain one <BkToCstmrStmt>/],
  ]
  for (const [file, message] of cases) await rejects(file, 'malformed', message)
  await rejects('<a/>', 'unsupported_format', /contains no <Document> of camt/)
  await rejects(camt.replace(/<Stmt>.*<\/Stmt>/s, ''), 'missing_value', /a statement is missing/)
  const nameless = camt.replace(/<Acct>.*<\/Acct>/s, '')
  await rejects(nameless, 'missing_value', /Line 4: the account of the statement is missing/)
})

test('sizes are limited', async () => {
  const long = 'x'.repeat(20_000)
  await rejects(camt.replace('stmt-7', long), 'too_large', /at most 16384 characters/)
  await rejects(camt.replace('<Acct>', `<Acct a="${long}">`), 'too_large')
  await rejects(`:20:${'x'.repeat(70_000)}\n`, 'too_large', /a line must have at most 65536 bytes/)
  const nested = `OFXHEADER:100\n\n${'<OFX>\n'.repeat(100)}`
  await rejects(nested, 'malformed', /Line 67: elements must be nested at most 64 deep/)
  const quoted = `Buchungstag;Betrag\n"${'x\n'.repeat(40_000)}`
  await rejects(quoted, 'too_large', /Line 2: a record must have at most 65536 characters/)
  const whole = Buffer.alloc(10 * 1024 * 1024 + 1, ' ')
  const check = { rule: 'too_large', message: /the file must have at most 10 MiB/ }
  await assert.rejects(readAll(whole), check)
})

test('bytes in another encoding are rejected, or read if the file states it', async () => {
  const named = camt.replace('stmt-7', 'M\u00fcller')
  await rejects(Buffer.from(named, 'latin1'), 'encoding', /Line 4: the file must be text .* utf-8/)
  const stated = named.replace('UTF-8', 'ISO-8859-1')
  assert.equal((await readAll(Buffer.from(stated, 'latin1')))[0]!.id, 'M\u00fcller')
  const wide = Buffer.from(`\ufeff${named.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  assert.equal((await readAll(wide))[0]!.id, 'M\u00fcller')
  assert.deepEqual(await readInChunks(wide, [1, 3]), await readAll(wide))
  const marked = Buffer.from(`\ufeff${named}`)
  assert.equal((await readAll(marked))[0]!.id, 'M\u00fcller')
  await rejects(named.replace('UTF-8', 'KOI8-R'), 'encoding', /must be one of .*; got "KOI8-R"/)
  await rejects(Buffer.concat([marked, Buffer.from([0xc3])]), 'encoding')
})

test('names that every object has are not encodings or messages', async () => {
  for (const name of ['constructor', '__proto__']) {
    await rejects(camt.replace('UTF-8', name), 'encoding', /must be one of .*; got "/)
    await rejects(camt.replaceAll('BkToCstmrStmt', name), 'malformed', /must contain one <BkTo/)
  }
})

const positions = {
  ...columnMap,
  date_format: 'D.M.YY',
  columns: { booked_on: 1, amount: 2 },
} satisfies ColumnMap

// Minutes if a pattern is tried at each of the spaces.
test('long lines of spaces are read in linear time', async () => {
  const spaces = ' '.repeat(65_000)
  const amount = Buffer.from(`1.1.26;1${spaces}2\n`)
  assert.equal((await readAll(amount, positions))[0]!.entries[0]!.amount, 1_200)
  await rejects(`:20:X\n-}${spaces}\u2028x\n`, 'missing_value', /the closing balance/)
})

test('an unknown format is rejected with advice', async () => {
  for (const file of ['', 'hello', '%PDF-1.7', 'PK\u0003\u0004', '\u0000\u0000']) {
    const parts = readStatementFile([Buffer.from(file)])
    await assert.rejects(parts.next(), { rule: 'unsupported_format' })
  }
  const zip = readStatementFile([Buffer.from('PK\u0003\u0004')])
  await assert.rejects(zip.next(), /It is a ZIP archive or a spreadsheet/)
})

// Rows of CSV and the digits of an amount at the end of MT940 can be missing without a trace.
test('a file that is cut anywhere is rejected', async () => {
  for (const [format, write] of Object.entries(formats)) {
    if (format === 'csv') continue
    const file = write(statement).trimEnd()
    const end = format === 'mt940' ? file.lastIndexOf('EUR') : file.length - 1
    for (let length = 0; length < end; length += 7) {
      await assert.rejects(
        readAll(file.slice(0, length), undefined),
        BankFileError,
        `${format}, ${length}`,
      )
    }
  }
})

test('the rest of the upload is not read after an error', async () => {
  let taken = 0
  let closed = 0
  async function* upload(text: string) {
    try {
      for (; taken < 1_000; taken++) yield Buffer.from(text.padEnd(5_000))
    } finally {
      closed += 1
    }
  }
  const first = readStatementFile(upload('<!DOCTYPE x>'))
  await assert.rejects(first.next(), { rule: 'forbidden_markup' })
  const second = readStatementFile(upload('%PDF-1.7'))
  await assert.rejects(second.next(), { rule: 'unsupported_format' })
  assert.ok(taken < 5)
  assert.equal(closed, 2)
})
