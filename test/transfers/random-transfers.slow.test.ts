// Random transfers between a few accounts, with fees, closings, suspensions and crashes of the
// worker: the total over all accounts, including what is in transit, never changes. Then many
// opposite pairs at once, which must not deadlock.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { type Shop, tally } from '../transactions/transaction-fixtures.ts'
import { crashingDb, openTransferFixtures } from './transfer-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransferFixtures(florin)

const accounts_each = 4
const runs = process.env.FLORIN_LONG ? 100 : 12

const account = fc.nat(accounts_each - 1)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      from: account,
      to: account,
      amount: fc.integer({ min: 1, max: 600 }),
      fee: fc.option(fc.record({ to: account, amount: fc.integer({ min: 0, max: 50 }) }), {
        nil: undefined,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('work' as const), crash_after: fc.nat(8) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), account }) },
)

type RandomStep = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const expected_statuses = [201, 400, 402, 404]

async function take(shops: Shop[], one: RandomStep): Promise<void> {
  const { db } = florin
  switch (one.kind) {
    case 'send': {
      const fee = one.fee && {
        fee_amount: one.fee.amount,
        ...(one.fee.amount > 0 && { fee_account_id: shops[one.fee.to]!.account_id }),
      }
      const sent = await fixtures.sendAsAdmin(shops[one.from]!, shops[one.to]!, one.amount, fee)
      assert.ok(expected_statuses.includes(sent.status), sent.text)
      return
    }
    case 'work':
      // Fewer commits than a transfer needs: the worker dies between two steps.
      return fixtures.complete(crashingDb(db, one.crash_after)).catch((error) => {
        assert.match(String(error), /crashed/)
      })
    case 'suspend':
    case 'reopen': {
      const status = one.kind === 'suspend' ? 'suspended' : 'active'
      const path = `/v1/accounts/${shops[one.account]!.account_id}`
      await florin.call('PATCH', path, { token: fixtures.admin.token, body: { status } })
      return
    }
    case 'close':
      await fixtures.close(shops[one.account]!)
  }
}

test('the total of all accounts and what is in transit is constant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const shops: Shop[] = []
      for (let n = 0; n < accounts_each; n++) shops.push(await fixtures.shop(1_000))
      for (const one of steps) {
        await take(shops, one)
        assert.equal(await fixtures.total(shops), accounts_each * 1_000)
      }
      await fixtures.complete()
      assert.equal(await fixtures.total(shops), accounts_each * 1_000)
      const { rows } = await florin.db.pool.query(
        `select count(*)::int as n from transfers where status = 'in_transit'`,
      )
      assert.equal(rows[0].n, 0, 'nothing stays in transit')
    }),
    { numRuns: runs },
  )
})

async function countDeadlocks(): Promise<number> {
  const { rows } = await florin.db.pool.query(
    `select deadlocks from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0].deadlocks)
}

test('fifty opposite pairs at once, with several workers, end without a deadlock', async () => {
  const deadlocks_before = await countDeadlocks()
  const pairs: [Shop, Shop][] = []
  for (let n = 0; n < 5; n++) pairs.push([await fixtures.shop(10_000), await fixtures.shop(10_000)])
  const platform = await fixtures.shop()
  const fee = { fee_amount: 1, fee_account_id: platform.account_id }
  let is_sending = true
  const work = async () => {
    // Another worker may have the lock for long on a busy machine: then the next round continues.
    while (is_sending) await fixtures.complete().catch(() => {})
  }
  const workers = [work(), work(), work()]
  const rounds = 10
  const sent = await Promise.all(
    Array.from({ length: rounds }, () =>
      pairs.flatMap(([one, other]) => [
        fixtures.sendAsAdmin(one, other, 10, fee),
        fixtures.sendAsAdmin(other, one, 10, fee),
      ]),
    ).flat(),
  )
  is_sending = false
  await Promise.all(workers)
  await fixtures.complete()
  const made = rounds * pairs.length * 2
  assert.deepEqual(tally(sent), { '201': made })
  const balances = await fixtures.available(...pairs.flat(), platform)
  const each = 10_000 - rounds
  assert.deepEqual(balances, [...pairs.flat().map(() => each), made])
  assert.equal(await countDeadlocks(), deadlocks_before)
})
