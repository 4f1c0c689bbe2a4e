// Nobody's payment waits for another's account, whoever has that one and for however long.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import { createOf, entryOf } from './entries.ts'
import { holdLock, openTill, type Shop, waitForWaiters } from './till.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const till = await openTill(florin)

const money = { amount: 5, currency: 'USD', customer_email: 'customer@example.com' }

const changes: Record<string, (shop: Shop) => ReturnType<typeof florin.call>> = {
  transactions: (shop) => till.create(shop),
  payments: ({ token, account_id }) =>
    florin.call('POST', '/v1/payments', { token, body: { account_id, ...money } }),
  subscriptions: ({ token }) =>
    florin.call('POST', '/v1/subscriptions', { token, body: { ...money, interval: 'month' } }),
}

for (const [kind, change] of Object.entries(changes)) {
  test(`while somebody has an account, the ${kind} of others are made`, async () => {
    const [shop, other] = [await till.shop(), await till.shop()]
    const release = await holdLock(florin, shop)
    let served = 0
    const count = (sent: ReturnType<typeof florin.call>) => sent.finally(() => (served += 1))
    const before = [count(change(shop)), count(change(shop))]
    await waitForWaiters(florin)
    before.push(count(change(shop)))
    for (let round = 0; round < 3; round++) assert.equal((await change(other)).status, 201)
    assert.equal(served, 0, 'those of the account wait for it')
    await release()
    for (const answer of await Promise.all(before)) assert.equal(answer.status, 201, answer.text)
  })
}

test('a batch that has accounts waits for none', async () => {
  const shops = [await till.shop(), await till.shop(), await till.shop()]
  const lanes = new TransactionLanes(florin.db)
  const release = await holdLock(florin, shops[1]!)
  const sent = shops.map((shop) => lanes.submit(entryOf(shop, createOf(shop))))
  await waitForWaiters(florin)
  const free = await florin.db.pool.query(
    'select 1 from balances where account_id = any($1) for update skip locked',
    [shops.map(({ uuid }) => uuid)],
  )
  assert.equal(free.rowCount, 2, 'whoever waits for the second holds neither of the others')
  await Promise.all([sent[0], sent[2]])
  await release()
  await sent[1]
})
