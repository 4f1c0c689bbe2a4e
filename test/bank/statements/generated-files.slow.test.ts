// 10,000 generated statements in every format, most of them damaged: the result is statements or an
// error that names a rule, and neither depends on how the upload is split.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError } from '../../../src/bank/statements/bank-file-error.ts'
import type { BankStatement } from '../../../src/bank/statements/check-balances.ts'
import { mutate } from './mutate.ts'
import { readAll, readInChunks } from './read-all.ts'
import { account_iban, columnMap, formats, sampleStatement, writeCamt } from './write-samples.ts'

const count = process.env.FLORIN_LONG ? 100_000 : 10_000
const statements = fc.sample(sampleStatement, { numRuns: 500, seed: 8 })
const writers = Object.entries(formats)

type Outcome = BankStatement[] | string

/** The statements, or the message. Any other error fails the test. */
async function outcomeOf(reading: Promise<BankStatement[]>): Promise<Outcome> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    assert.match(error.message, /^Line \d+.*: .+\. .+[.?]$/s)
    assert.ok(error.line >= 1)
    return error.message
  }
}

function checkStatement(statement: BankStatement): void {
  const keys = statement.entries.map((entry) => `${entry.fingerprint} ${entry.occurrence}`)
  assert.equal(new Set(keys).size, keys.length, 'each entry has another identity')
  for (const entry of statement.entries) {
    assert.ok(Number.isSafeInteger(entry.amount) && entry.amount >= 0)
    assert.ok(entry.transactions.length >= 1)
    const texts = JSON.stringify(entry)
    assert.ok(texts.isWellFormed() && !texts.includes('\\u0000'), 'PostgreSQL rejects these')
  }
}

test(`${count} generated statements give a result or a clear error`, async (t) => {
  const outcomes = new Map<string, { read: number; rejected: number }>()
  for (let n = 0; n < count; n++) {
    const [format, write] = writers[n % writers.length]!
    const valid = write(statements[n % statements.length]!)
    const file = n % 5 === 0 ? valid : mutate(valid, n)
    const outcome = await outcomeOf(readAll(file))
    const sizes = [1 + (n % 97), 1 + (n % 1_009)]
    assert.deepEqual(await outcomeOf(readInChunks(file, sizes)), outcome, `in chunks: ${file}`)
    const counted = outcomes.get(format) ?? { read: 0, rejected: 0 }
    if (typeof outcome === 'string') counted.rejected += 1
    else outcome.forEach(checkStatement)
    if (typeof outcome !== 'string') counted.read += 1
    outcomes.set(format, counted)
    assert.ok(file !== valid || typeof outcome !== 'string', `${outcome} in ${file}`)
  }
  for (const [format, { read, rejected }] of outcomes) {
    t.diagnostic(`${format}: ${read} read, ${rejected} rejected`)
    assert.ok(read > count / 70 && rejected > count / 140, format)
  }
})

test('many small parts of a file do not fill the memory', async () => {
  const camt = writeCamt({ iban: account_iban, sequence: 7, opening: 0, entries: [] }, '02')
  const children = camt.replace('</Acct>', `${'<a/>'.repeat(500_000)}</Acct>`)
  const elements = { rule: 'too_large', message: /<Acct>: an element must contain at most 500000/ }
  await assert.rejects(readAll(children), elements)
  const map = { ...columnMap, date_format: 'D.M.YY', columns: { booked_on: 1, amount: 2 } }
  const entries = { rule: 'too_large', message: /Line 100001: .* at most 100000 entries/ }
  await assert.rejects(readAll('1.1.26;1\n'.repeat(100_001), map), entries)
})
