// A locked account never delays changes to other accounts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWithBisection } from '../../src/lanes/bisection.ts'
import { locked_elsewhere } from '../../src/lanes/lane-entry.ts'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { payByCard } from '../../src/payments/pay-by-card.ts'
import type { PaymentRow } from '../../src/payments/payment.ts'
import { sandboxProcessor } from '../../src/processors/processor.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import { createOf, entryOf } from './entries.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
  waitForWaiters,
} from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

const money = { amount: 5, currency: 'USD', customer_email: 'customer@example.com' }

const changes: Record<string, (shop: Shop) => ReturnType<typeof florin.call>> = {
  transactions: (shop) => fixtures.create(shop),
  payments: ({ token, account_id }) =>
    florin.call('POST', '/v1/payments', { token, body: { account_id, ...money } }),
  subscriptions: ({ token }) =>
    florin.call('POST', '/v1/subscriptions', { token, body: { ...money, interval: 'month' } }),
}

for (const [kind, change] of Object.entries(changes)) {
  test(`while an account is locked, ${kind} of other accounts are created`, async () => {
    const [shop, other] = [await fixtures.shop(), await fixtures.shop()]
    const release = await holdLock(florin, shop)
    let served = 0
    const count = (sent: ReturnType<typeof florin.call>) => sent.finally(() => (served += 1))
    const before = [count(change(shop)), count(change(shop))]
    await waitForWaiters(florin)
    before.push(count(change(shop)))
    for (let round = 0; round < 3; round++) assert.equal((await change(other)).status, 201)
    assert.equal(served, 0, 'changes to the locked account wait')
    const { text } = await florin.call('GET', '/metrics')
    assert.match(text, new RegExp(`^florin_lane_blocked\\{lane="${kind}"\\} 3$`, 'm'))
    assert.match(text, /^florin_database_clients\{pool="waiting",state="busy"\} 1$/m)
    await release()
    for (const response of await Promise.all(before))
      assert.equal(response.status, 201, response.text)
  })
}

test('a batch never waits for one account while it holds others', async () => {
  const shops = [await fixtures.shop(), await fixtures.shop(), await fixtures.shop()]
  const lanes = new TransactionLanes(florin.db)
  const release = await holdLock(florin, shops[1]!)
  const sent = shops.map((shop) => lanes.submit(entryOf(shop, createOf(shop))))
  await waitForWaiters(florin)
  const free = await florin.db.pool.query(
    'select 1 from balances where account_id = any($1) for update skip locked',
    [shops.map(({ uuid }) => uuid)],
  )
  assert.equal(free.rowCount, 2, 'the other accounts are not locked')
  await Promise.all([sent[0], sent[2]])
  await release()
  await sent[1]
})

test('no card is charged while the account is locked', async () => {
  const shop = await fixtures.shop()
  const payment_lanes = new PaymentLanes(florin.db, florin.config.public_url)
  const sandbox = sandboxProcessor(1)
  let charged = 0
  const chargeCard = async () => {
    charged += 1
    return 'refused' as const
  }
  const pay = () =>
    payByCard(
      { processor: { ...sandbox, chargeCard }, payment_lanes },
      { account_id: shop.uuid } as PaymentRow,
      { number: '4242424242424242' },
    )
  await pay()
  assert.equal(charged, 1)
  const release = await holdLock(florin, shop)
  const unknown = { kind: 'send', account_id: shop.uuid, id: shop.uuid } as const
  const entry = { ...entryOf(shop, createOf(shop)), command: unknown, render: () => '' }
  const waiting = assert.rejects(payment_lanes.submit(entry), { code: 'not_found' })
  await waitForWaiters(florin)
  await assert.rejects(pay(), { code: 'unavailable' })
  assert.equal(charged, 1)
  await release()
  await waiting
  await pay()
  assert.equal(charged, 2)
})

test('the second half of a batch skips accounts that the first half skipped', async () => {
  const entries = ['a1', 'b1', 'a2', 'c1'].map((name) => ({ name, account_id: name[0]! }))
  const runs: string[] = []
  const outcomes = await runWithBisection(entries, async (some) => {
    runs.push(some.map(({ name }) => name).join(' '))
    if (some.length === 4) throw Object.assign(new Error('data error'), { code: '22P05' })
    // Locked only in the first half: the second half would find the account unlocked.
    return some.map(({ name }) =>
      runs.length === 2 && name === 'a1' ? locked_elsewhere : { value: name },
    )
  })
  assert.deepEqual(runs, ['a1 b1 a2 c1', 'a1 b1', 'c1'])
  assert.deepEqual(
    outcomes.map((outcome) => outcome === locked_elsewhere),
    [true, false, true, false],
  )
})
