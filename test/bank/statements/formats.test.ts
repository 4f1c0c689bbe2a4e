// Every format, read from files that are written from the same statements.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BankStatement } from '../../../src/bank/statements/check-balances.ts'
import { balanceError } from '../../../src/bank/statements/check-balances.ts'
import { readAll, readInChunks } from './read-all.ts'
import { closingOf, formats, type SampleStatement, sampleStatement } from './write-samples.ts'

// A name in MT940 has at most two subfields of 27 characters.
const namesOf = (format: string, name: string) => (format === 'mt940' ? name.slice(0, 54) : name)

function expectSame(format: string, read: BankStatement, written: SampleStatement): void {
  assert.equal(read.account.iban, written.iban)
  assert.equal(read.currency, 'EUR')
  assert.equal(read.entries.length, written.entries.length)
  read.entries.forEach((entry, at) => {
    const expected = written.entries[at]!
    const [transaction] = entry.transactions
    assert.equal(entry.amount, Math.abs(expected.signed))
    assert.equal(entry.direction, expected.signed < 0 ? 'debit' : 'credit')
    assert.equal(entry.booked_on, expected.booked_on)
    assert.equal(entry.value_on, expected.booked_on)
    if (!format.startsWith('ofx')) {
      assert.equal(entry.bank_reference, expected.reference)
      assert.equal(transaction!.end_to_end_id, expected.end_to_end_id)
    }
    assert.equal(transaction!.amount, entry.amount)
    assert.equal(transaction!.counterparty_name, namesOf(format, expected.name).trim())
    assert.equal(transaction!.counterparty_iban, expected.iban)
    assert.equal(transaction!.remittance, expected.text)
    assert.ok(entry.is_booked && entry.is_complete && !entry.is_reversal)
  })
}

for (const [format, write] of Object.entries(formats)) {
  test(`${format}: reads what was written`, async () => {
    const property = fc.asyncProperty(sampleStatement, async (statement) => {
      const [read, ...others] = await readAll(write(statement))
      assert.deepEqual(others, [])
      expectSame(format, read!, statement)
      if (/053|mt940/.test(format)) {
        assert.equal(read!.opening!.amount, statement.opening)
        assert.equal(read!.closing!.amount, closingOf(statement))
        assert.equal(read!.difference, 0)
        assert.equal(balanceError(read!), undefined)
      }
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test(`${format}: chunks never change the result`, async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 })
    const property = fc.asyncProperty(sampleStatement, sizes, async (statement, chunk_sizes) => {
      const file = write(statement)
      assert.deepEqual(await readInChunks(file, chunk_sizes), await readAll(file))
    })
    await fc.assert(property, { numRuns: 6 })
    const file = write(fc.sample(sampleStatement, { numRuns: 1, seed: 7 })[0]!)
    assert.deepEqual(await readInChunks(file, [1]), await readAll(file), 'byte by byte')
  })

  test(`${format}: equal entries differ in their number`, async () => {
    const [statement] = fc.sample(sampleStatement, { numRuns: 1, seed: 3 })
    const entry = { ...statement!.entries[0]!, reference: null }
    const [once] = await readAll(write({ ...statement!, entries: [entry] }))
    const [thrice] = await readAll(write({ ...statement!, entries: [entry, entry, entry] }))
    assert.equal(once!.entries.length, 1)
    if (format.startsWith('ofx')) return
    assert.deepEqual(
      thrice!.entries.map((one) => [one.fingerprint, one.occurrence]),
      [1, 2, 3].map((n) => [once!.entries[0]!.fingerprint, n]),
    )
  })
}

test('an entry with a bank reference has the same fingerprint in every format', async () => {
  const [statement] = fc.sample(sampleStatement, { numRuns: 1, seed: 3 })
  const entry = { ...statement!.entries[0]!, reference: 'REF12345' }
  const found = await Promise.all(
    Object.values(formats).map((write) => readAll(write({ ...statement!, entries: [entry] }))),
  )
  assert.equal(new Set(found.map(([one]) => one!.entries[0]!.fingerprint)).size, 1)
})
