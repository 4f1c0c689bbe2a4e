// Independent programs read our samples, and what we write. They are test tools and not part of
// Florin; a test without its program is skipped with a message.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { encode } from 'uqr'
import { isCreditorReference, referenceOfPayment } from '../../src/bank/creditor-reference.ts'
import { epcQrText } from '../../src/bank/epc-qr.ts'
import { checkDigits, findIban } from '../../src/bank/iban.ts'
import { writePaymentFile } from '../../src/bank/payment-file.ts'
import { BankFileError } from '../../src/bank/statements/bank-file-error.ts'
import type { BankStatement } from '../../src/bank/statements/check-balances.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { decimalText } from '../../src/primitives/money.ts'
import { paymentFile } from './sample-payment-file.ts'
import { mutate } from './statements/mutate.ts'
import { readAll } from './statements/read-all.ts'
import { sampleStatement, writeCamt, writeMt940, writeOfx } from './statements/write-samples.ts'

// A virtual environment with pycamt, mt-940, ofxtools, python-stdnum and sepaxml: CONTRIBUTING.md.
const python = process.env.BANK_PYTHON ?? 'python3'
const see = 'see CONTRIBUTING.md'
const modules = 'import pycamt, mt940, ofxtools, stdnum, sepaxml'

const noPython =
  spawnSync(python, ['-c', modules]).status === 0
    ? undefined
    : `pycamt, mt-940, ofxtools, python-stdnum or sepaxml is not installed: ${see}`
const noExpat =
  spawnSync(python, ['-c', 'import xml.parsers.expat']).status === 0
    ? undefined
    : `Python is not installed: ${see}`

const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined
const noXmllint = isInstalled('xmllint') ? undefined : `xmllint is not installed: ${see}`
const noZbarimg = isInstalled('zbarimg') ? undefined : `zbarimg is not installed: ${see}`

interface SecondReading {
  iban: string
  closing?: string
  entries: Record<string, string | null>[]
}

const samples = fc.sample(sampleStatement, { numRuns: 150, seed: 25 }).map((statement) => ({
  ...statement,
  // The other readers take an amount of zero, or a name with a separator, for something else.
  entries: statement.entries
    .filter((entry) => entry.signed !== 0)
    .map((entry, at) => ({
      ...entry,
      reference: entry.reference ?? `R${at}`,
      name: entry.name.replace(/[^a-zA-Z0-9]/g, 'n').slice(0, 20),
      text: entry.text.replace(/[^a-zA-Z0-9]/g, 't').slice(0, 20),
    })),
}))

function runPython(given: object): Record<string, unknown> {
  const script = fileURLToPath(new URL('second-readers.py', import.meta.url))
  const run = spawnSync(python, [script], { input: JSON.stringify(given), maxBuffer: 2 ** 28 })
  assert.equal(run.status, 0, String(run.stderr))
  return JSON.parse(String(run.stdout))
}

/** Our reading in the form of the other. */
function ourReading(statement: BankStatement) {
  return statement.entries.map((entry) => {
    const [transaction] = entry.transactions
    return {
      amount: decimalText(entry.direction === 'debit' ? -entry.amount : entry.amount, 2),
      booked_on: entry.booked_on,
      reference: entry.bank_reference,
      end_to_end_id: transaction!.end_to_end_id,
      name: transaction!.counterparty_name,
      text: transaction!.remittance,
    }
  })
}

test('pycamt, mt-940 and ofxtools read the same', { skip: noPython }, async () => {
  const files = {
    camt: samples.flatMap((one) => [writeCamt(one, '02'), writeCamt(one, '08')]),
    mt940: samples.map(writeMt940),
    // ofxtools accepts account numbers of at most 22 characters.
    ofx: samples.flatMap((one) => {
      const entries = one.entries.map((entry) => ({ ...entry, iban: 'NL91ABNA0417164300' }))
      return [writeOfx({ ...one, entries }, 'sgml'), writeOfx({ ...one, entries }, 'xml')]
    }),
  }
  const found = runPython({ ...files, ibans: [], references: [] })
  for (const [format, texts] of Object.entries(files)) {
    for (const [at, text] of texts.entries()) {
      const [ours] = await readAll(text)
      const theirs = (found[format] as SecondReading[])[at]!
      assert.equal(ours!.account.iban, theirs.iban)
      const entries = ourReading(ours!)
      assert.equal(entries.length, theirs.entries.length)
      for (const [n, entry] of theirs.entries.entries()) {
        for (const [field, value] of Object.entries(entry)) {
          // Theirs has the placeholder of the format.
          const plain = value === 'NOTPROVIDED' ? null : value
          assert.equal(entries[n]![field as keyof (typeof entries)[0]], plain, `${format} ${field}`)
        }
      }
      if (theirs.closing !== undefined) {
        assert.equal(decimalText(ours!.closing!.amount, 2), theirs.closing)
      }
    }
  }
})

test('python-stdnum accepts the same IBANs and references', { skip: noPython }, () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 18, maxLength: 18 })
  const bodies = fc.sample(digits, 300)
  const valid = bodies.map((body) => `DE${checkDigits('DE', body)}${body}`)
  const ibans = [...valid, ...bodies.map((body) => `DE12${body}`), 'ZZ12', 'DE', '']
  const references = Array.from({ length: 300 }, () => referenceOfPayment(newUuid(Date.now())))
  const wrong = references.map((reference) => reference.replace(/.$/, '2'))
  const found = runPython({
    camt: [],
    mt940: [],
    ofx: [],
    ibans,
    references: [...references, ...wrong],
  })
  assert.deepEqual(
    found.ibans,
    ibans.map((iban) => findIban(iban) !== undefined),
  )
  assert.deepEqual(found.references, [...references, ...wrong].map(isCreditorReference))
})

test('the schemas of ISO 20022 accept our payment files', { skip: noPython ?? noXmllint }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-pain-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const where = spawnSync(python, ['-c', 'import sepaxml; print(sepaxml.__path__[0])'])
  const schemas = join(String(where.stdout).trim(), 'schemas')
  for (const version of ['03', '09'] as const) {
    for (const currency of ['EUR', 'CHF', 'JPY']) {
      const path = join(folder, `${version}-${currency}.xml`)
      writeFileSync(path, [...writePaymentFile({ ...paymentFile, version, currency })].join(''))
      const schema = join(schemas, `pain.001.001.${version}.xsd`)
      const run = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, path])
      assert.equal(run.status, 0, String(run.stderr))
    }
  }
})

test('zbarimg reads the QR code', { skip: noZbarimg }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-qr-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const text = epcQrText({
    name: 'Café Größe & Söhne',
    iban: 'DE89370400440532013000',
    bic: null,
    amount: 4_200,
    currency: 'EUR',
    creditor_reference: referenceOfPayment(newUuid(Date.now())),
  })!
  const path = join(folder, 'code.pgm')
  writeFileSync(path, drawPgm(text, 6))
  const run = spawnSync('zbarimg', ['--quiet', '--raw', '-Sbinary', path])
  assert.equal(String(run.stdout).trimEnd(), text, String(run.stderr))
})

function drawPgm(text: string, scale: number): Buffer {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const width = size * scale
  const pixels = Buffer.alloc(width * width, 255)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor((at % width) / scale), Math.floor(at / width / scale)]
    if (data[y]![x]) pixels[at] = 0
  }
  return Buffer.concat([Buffer.from(`P5\n${width} ${width}\n255\n`), pixels])
}

const checkWellFormed = `
import json, sys
from xml.parsers import expat
def accepts(text):
    parser = expat.ParserCreate(namespace_separator="\\f")
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
        return True
    except (expat.ExpatError, LookupError, ValueError):
        return False
json.dump([accepts(text) for text in json.load(sys.stdin)], sys.stdout)
`

test('expat accepts every XML file that we accept', { skip: noExpat }, async () => {
  const files = samples.flatMap((one, seed) =>
    Array.from({ length: 12 }, (_, n) => mutate(writeCamt(one, '02'), seed * 12 + n)),
  )
  const input = JSON.stringify(files)
  const run = spawnSync(python, ['-c', checkWellFormed], { input, maxBuffer: 2 ** 28 })
  assert.equal(run.status, 0, String(run.stderr))
  const theirs = JSON.parse(String(run.stdout)) as boolean[]
  let accepted = 0
  for (const [at, file] of files.entries()) {
    const error = await readAll(file, undefined).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    // What only we reject is well formed, but not a bank statement.
    if (error !== undefined) assert.ok(error instanceof BankFileError, String(error))
    else assert.ok(theirs[at], file)
    if (error === undefined) accepted += 1
  }
  assert.ok(accepted > 20 && accepted < files.length, `${accepted} of ${files.length}`)
})
