// A request is paid once, however many attempts there are, over the lanes of two processes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { attemptOf, Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openPaymentFixtures(florin)
const payers = [new Payers(florin.db), new Payers(other.db)] as const

function count(results: string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(results, (result) => result)].map(([result, all]) => [result, all.length]),
  )
}

async function movementsOf(shop: Shop): Promise<string[]> {
  const text = 'select movement from postings where account_id = $1 order by sequence'
  return (await florin.db.pool.query(text, [shop.uuid])).rows.map(({ movement }) => movement)
}

test('fifty parallel attempts pay exactly once, twenty times', async () => {
  for (let round = 0; round < 20; round++) {
    const shop = await fixtures.shop()
    const id = await fixtures.request(shop)
    const attempts = Array.from({ length: 50 }, (_, at) => payers[at % 2]!.attempt(shop, id))
    assert.deepEqual(count(await Promise.all(attempts)), { succeeded: 1, conflict: 49 })
    assert.deepEqual(await movementsOf(shop), ['arrive', 'settle'])
    assert.deepEqual(await fixtures.balance(shop), { available: 100, incoming: 0, held: 0 })
    assert.deepEqual((await fixtures.eventTypes(shop)).slice(-4), [
      'payment.created',
      'transaction.created',
      'transaction.succeeded',
      'payment.succeeded',
    ])
  }
})

test('fifty parallel attempts with separate lanes pay exactly once', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const attempts = Array.from({ length: 50 }, () => payAsAProcess(shop, id))
  assert.deepEqual(count(await Promise.all(attempts)), { paid: 1, conflict: 49 })
  assert.deepEqual(await movementsOf(shop), ['arrive', 'settle'])
})

/** Retries while unavailable: fifty lanes share the database clients of one process. */
async function payAsAProcess(shop: Shop, id: string): Promise<string> {
  const lanes = new PaymentLanes(florin.db, 'https://pay.example.com')
  let result = 'unavailable'
  for (let attempt = 0; attempt < 50 && result === 'unavailable'; attempt++) {
    result = await lanes.submit(attemptOf(shop, id, true)).then(
      () => 'paid',
      (error) => error.code,
    )
  }
  return result
}

test('of parallel payments, cancellations and settlements exactly one succeeds', async () => {
  const shop = await fixtures.shop()
  let paid = 0
  for (let round = 0; round < 30; round++) {
    const id = await fixtures.request(shop, { amount: 1 })
    const resultOf = (response: { status: number; body: { status: string; error: string } }) =>
      response.status === 200 ? response.body.status : response.body.error
    const senders = [
      () => payers[0].attempt(shop, id),
      () => payers[1].attempt(shop, id),
      async () => resultOf(await fixtures.cancelPayment(shop, id)),
      async () => resultOf(await fixtures.cancelPayment(shop, id, { call: other.call })),
      async () => resultOf(await fixtures.settlePayment(id, 'succeeded', { call: other.call })),
      async () => resultOf(await fixtures.settlePayment(id, 'failed')),
    ]
    const from = round % senders.length
    const rotated = [...senders.slice(from), ...senders.slice(0, from)]
    const results = await Promise.all(rotated.map((send) => send()))
    const won = results.filter((one) => ['succeeded', 'failed', 'canceled'].includes(one))
    assert.equal(won.length, 1, results.join())
    for (const lost of results.filter((one) => one !== won[0])) {
      assert.ok(['conflict', 'not_cancellable'].includes(lost), lost)
    }
    assert.equal((await fixtures.getPayment(shop, id)).body.status, won[0])
    if (won[0] === 'succeeded') paid += 1
  }
  assert.equal((await fixtures.balance(shop)).available, paid)
})

test('a request stays pending after nine declines and fails with the tenth', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const before = (await fixtures.getPayment(shop, id)).body
  for (let declines = 1; declines < 10; declines++) {
    assert.equal(await payers[declines % 2]!.attempt(shop, id, false), 'pending')
  }
  assert.deepEqual((await fixtures.getPayment(shop, id)).body, before)
  assert.equal(await payers[0].attempt(shop, id, false), 'failed')
  assert.equal(await payers[0].attempt(shop, id), 'conflict')
  assert.equal(await fixtures.count(shop), 0)
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment.%'), [
    'payment.created',
    'payment.failed',
  ])
})

test('a request can be paid after nine declines', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  for (let declines = 1; declines < 10; declines++) await payers[0].attempt(shop, id, false)
  assert.equal(await payers[1].attempt(shop, id), 'succeeded')
})

test('of thirty parallel declines, ten count and the request fails once', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const attempts = Array.from({ length: 30 }, (_, at) => payers[at % 2]!.attempt(shop, id, false))
  assert.deepEqual(count(await Promise.all(attempts)), { pending: 9, failed: 1, conflict: 20 })
})

test('a request of a suspended account can be paid once the account is active again', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const path = `/v1/accounts/${shop.account_id}`
  const { token } = fixtures.admin
  await florin.call('PATCH', path, { token, body: { status: 'suspended' } })
  assert.equal(await payers[0].attempt(shop, id), 'invalid_request')
  assert.equal(await payers[0].attempt(shop, id, false), 'invalid_request')
  await florin.call('PATCH', path, { token, body: { status: 'active' } })
  assert.equal(await payers[0].attempt(shop, id), 'succeeded')
})

test('parallel attempts on a hundred requests pay each one once', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => fixtures.shop()))
  const created = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const shop = shops[at % shops.length]!
      return { shop, id: await fixtures.request(shop, { amount: at + 1 }) }
    }),
  )
  const paid = await Promise.all(
    created.flatMap(({ shop, id }) => payers.map((some) => some.attempt(shop, id))),
  )
  assert.deepEqual(count(paid), { succeeded: 100, conflict: 100 })
  const balances = await Promise.all(shops.map((shop) => fixtures.balance(shop)))
  assert.equal(
    balances.reduce((sum, { available }) => sum + available, 0),
    5_050,
  )
})
