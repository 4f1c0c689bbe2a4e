// Random statements, imported in any order and several times, with workers that repeat rounds: only
// an exact match records money, once, and the outcome depends on nothing else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFixtures, fileOf } from './bank-fixtures.ts'

const fixtures = await BankFixtures.open()
const { florin } = fixtures
let files = 90_000

const kinds = ['exact', 'short', 'over', 'debit', 'silent', 'again'] as const
const plan = fc.record({
  entries: fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), amount: fc.integer({ min: 2, max: 9_999 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  split: fc.nat(6),
  repeats: fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
  crash: fc.boolean(),
})

/** The money of the entry, from the amount of the request that it names. */
function signedOf(kind: (typeof kinds)[number], amount: number): number {
  if (kind === 'short') return amount - 1
  if (kind === 'over') return amount + 1
  return kind === 'debit' ? -amount : amount
}

test('only exact matches change the ledger, whatever is repeated', async () => {
  const property = fc.asyncProperty(plan, async ({ entries, split, repeats, crash }) => {
    const shop = await fixtures.euroShop()
    const named = await Promise.all(
      entries.map(async ({ kind, amount }) => ({
        kind,
        amount,
        id: await fixtures.euroRequest(shop, amount),
      })),
    )
    const money = named.flatMap(({ kind, amount, id }, at) => {
      const signed = signedOf(kind, amount)
      const text = kind === 'silent' ? 'no reference' : id
      const one = { signed, text, reference: `${files}E${at}` }
      return kind === 'again' ? [one, { ...one, reference: `${files}A${at}` }] : [one]
    })
    // Banks also export the last days again: then an entry has another position in the file.
    const parts = [money.slice(0, split), money.slice(split), money]
    const texts = parts.filter((part) => part.length > 0).map((part) => fileOf(part, 0, ++files))
    for (const at of [...repeats, texts.length - 1]) {
      await fixtures.import(texts[Math.min(at, texts.length - 1)]!)
      if (crash)
        await florin.db.pool.query(`update bank_entries set next_at = now() - interval '1 second'
        where status = 'settling'`)
      // Two workers at once.
      await Promise.all([fixtures.settleAll(), fixtures.settleAll()])
    }
    const paid = named.filter(({ kind }) => kind === 'exact' || kind === 'again')
    const recorded = (await fixtures.transactionsOf(shop)).map(([, , amount]) => Number(amount))
    const ascending = (one: number, other: number) => one - other
    const expected = paid.map(({ amount }) => amount)
    assert.deepEqual(recorded.sort(ascending), expected.sort(ascending))
    for (const { kind, id } of named) {
      const { status } = (await fixtures.getPayment(shop, id)).body
      assert.equal(status, kind === 'exact' || kind === 'again' ? 'succeeded' : 'pending', kind)
    }
    const { rows } = await florin.db.pool.query(
      `select bank_reference, status from bank_entries where bank_reference = any($1)`,
      [money.map(({ reference }) => reference)],
    )
    assert.equal(rows.length, money.length)
    const settled = rows.filter(({ status }) => status === 'settled')
    assert.equal(settled.length, paid.length)
    assert.ok(rows.every(({ status }) => status === 'settled' || status === 'open'))
  })
  await fc.assert(property, { numRuns: process.env.FLORIN_LONG ? 200 : 20 })
})
