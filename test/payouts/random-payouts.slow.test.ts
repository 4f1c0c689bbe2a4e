// Random payouts and refunds of a few accounts, with approvals, exports, bank entries and repeated
// requests. What the accounts have, hold and have paid out is constant, and nothing becomes
// negative.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { settleOutgoing } from '../../src/payouts/settle-outgoing.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { patient, startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { iban, openPayoutFixtures, other_iban } from './payout-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPayoutFixtures(florin)
const lanes = new TransactionLanes(florin.db, patient)

const shops_each = 3
const funds_each = 1_000
const runs = process.env.FLORIN_LONG ? 100 : 10

const shop = fc.nat(shops_each - 1)
const pick = fc.nat(1_000)
const amount = fc.integer({ min: 1, max: 700 })

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pay_out' as const), shop, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pay_out_rest' as const),
      shop,
      more: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), shop, amount }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('approve' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('export' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      pick,
      status: fc.constantFrom('paid', 'failed', 'returned'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('entry' as const),
      pick,
      is_return: fc.boolean(),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('destination' as const),
      shop,
      iban: fc.constantFrom(iban, other_iban),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      shop,
      limit: fc.constantFrom(null, 0, 500),
    }),
  },
)

type RandomStep = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface World {
  shops: Shop[]
  ids: string[]
  refunded: number
}

async function take(world: World, one: RandomStep): Promise<void> {
  const chosen = 'pick' in one ? world.ids[one.pick % world.ids.length] : undefined
  if ('pick' in one && chosen === undefined) return
  switch (one.kind) {
    case 'pay_out': {
      const created = await fixtures.payOut(world.shops[one.shop]!, one.amount)
      assert.ok([201, 402].includes(created.status), created.text)
      if (created.status === 201) world.ids.push(created.body.id)
      return
    }
    case 'pay_out_rest': {
      const [available] = await fixtures.funds(world.shops[one.shop]!)
      const amount = available + one.more
      if (amount < 1) return
      const created = await fixtures.payOut(world.shops[one.shop]!, amount)
      assert.equal(created.status, one.more > 0 ? 402 : 201, created.text)
      if (created.status === 201) world.ids.push(created.body.id)
      return
    }
    case 'refund': {
      const created = await fixtures.refund(world.shops[one.shop]!, one.amount)
      assert.ok([201, 402].includes(created.status), created.text)
      if (created.status !== 201) return
      await fixtures.settle(created.body.id)
      world.refunded += one.amount
      return
    }
    case 'approve':
    case 'cancel': {
      const changed = await fixtures.change(fixtures.admin, chosen!, one.kind)
      assert.ok([200, 409].includes(changed.status), changed.text)
      return
    }
    case 'resolve': {
      const { status } = one
      const changed = await fixtures.change(fixtures.admin, chosen!, 'resolve', { status })
      assert.ok([200, 409].includes(changed.status), changed.text)
      return
    }
    case 'export': {
      const exported = await fixtures.export()
      assert.ok([201, 409].includes(exported.status), exported.text)
      return
    }
    case 'entry':
      return showEntry(chosen!, one)
    case 'destination':
      await fixtures.setDestination(world.shops[one.shop]!, { iban: one.iban })
      return
    case 'limit':
      await fixtures.setLimit(world.shops[one.shop]!, one.limit)
  }
}

/** The same entry again changes nothing. */
async function showEntry(
  payout_id: string,
  { is_return, times }: { is_return: boolean; times: number },
): Promise<void> {
  const { body } = await fixtures.read(fixtures.admin, payout_id)
  const entry = {
    id: newUuid(Date.now()),
    direction: is_return ? ('credit' as const) : ('debit' as const),
    amount: body.amount,
    currency: body.currency,
    is_reversal: false,
    return_reason: is_return ? 'AC04' : null,
    end_to_end_id: payout_id.replace('_', '-'),
    payment_information_id: null,
    remittance: null,
    target: null,
  }
  const results: (string | undefined)[] = []
  for (let time = 0; time < times; time++)
    results.push(await settleOutgoing({ db: florin.db, lanes }, entry))
  assert.ok(results.every((result) => result === results[0]))
}

interface Found {
  account_id: string
  status: string
  amount: number
}

async function check({ shops, refunded }: World): Promise<void> {
  const { rows } = await florin.db.pool.query<Found>(
    `select account_id, status, amount::int from payouts where account_id = any($1::uuid[])`,
    [shops.map(({ uuid }) => uuid)],
  )
  const sumOf = (statuses: string[], account_id?: string) =>
    rows
      .filter((one) => statuses.includes(one.status))
      .filter((one) => account_id === undefined || one.account_id === account_id)
      .reduce((sum, one) => sum + one.amount, 0)
  let inside = 0
  for (const one of shops) {
    const [available, held] = await fixtures.funds(one)
    assert.ok(available >= 0)
    const open = sumOf(['pending_approval', 'approved', 'in_transit'], one.uuid)
    assert.equal(held, open, 'what is held is for open payouts')
    inside += available + held
  }
  assert.equal(inside + sumOf(['paid']) + refunded, shops_each * funds_each)
}

test('what accounts have, hold and have paid out is constant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const shops: Shop[] = []
      for (let n = 0; n < shops_each; n++) shops.push(await fixtures.payable(funds_each))
      const world: World = { shops, ids: [], refunded: 0 }
      for (const one of steps) {
        await take(world, one)
        await check(world)
      }
    }),
    { numRuns: runs },
  )
})

test('payouts, refunds, exports and cancellations at once never spend money twice', async () => {
  for (let round = 0; round < 5; round++) {
    const one = await fixtures.payable(500)
    await fixtures.setLimit(one, null)
    const first = await fixtures.approved(one, 100)
    const results = await Promise.all([
      ...Array.from({ length: 6 }, () => fixtures.payOut(one, 100)),
      ...Array.from({ length: 6 }, () => fixtures.refund(one, 100)),
      ...Array.from({ length: 3 }, () => fixtures.export()),
      fixtures.change(one, first.id, 'cancel'),
    ])
    const spent = results.slice(0, 12).filter(({ status }) => status === 201).length
    const is_canceled = (await fixtures.read(one, first.id)).body.status === 'canceled'
    const [available, held] = await fixtures.funds(one)
    assert.equal(available + held, 500)
    assert.equal(held, spent * 100 + (is_canceled ? 0 : 100))
    assert.ok(results.slice(0, 12).every(({ status }) => status === 201 || status === 402))
  }
})
