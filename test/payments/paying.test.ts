// A request is paid once, whoever tries and however many: over the lanes of two processes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { attemptOf, Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const desk = await openPaymentFixtures(florin)
const payers = [new Payers(florin.db), new Payers(other.db)] as const

function count(words: string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(words, (word) => word)].map(([w, all]) => [w, all.length]),
  )
}

async function movementsOf(shop: Shop): Promise<string[]> {
  const text = 'select movement from postings where account_id = $1 order by sequence'
  return (await florin.db.pool.query(text, [shop.uuid])).rows.map(({ movement }) => movement)
}

test('fifty parallel payers make exactly one movement, twenty times', async () => {
  for (let round = 0; round < 20; round++) {
    const shop = await desk.shop()
    const id = await desk.request(shop)
    const tries = Array.from({ length: 50 }, (_, at) => payers[at % 2]!.try(shop, id))
    assert.deepEqual(count(await Promise.all(tries)), { succeeded: 1, conflict: 49 })
    assert.deepEqual(await movementsOf(shop), ['arrive', 'settle'])
    assert.deepEqual(await desk.balance(shop), { available: 100, incoming: 0, held: 0 })
    assert.deepEqual((await desk.eventTypes(shop)).slice(-4), [
      'payment.created',
      'transaction.created',
      'transaction.succeeded',
      'payment.succeeded',
    ])
  }
})

test('fifty payers with a lane each, as fifty processes would be, make one movement', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  const tries = Array.from({ length: 50 }, () => payAsAProcess(shop, id))
  assert.deepEqual(count(await Promise.all(tries)), { paid: 1, conflict: 49 })
  assert.deepEqual(await movementsOf(shop), ['arrive', 'settle'])
})

/** Fifty lanes have the clients of one process: on a busy machine some are told to come back. */
async function payAsAProcess(shop: Shop, id: string): Promise<string> {
  const lanes = new PaymentLanes(florin.db, 'https://pay.example.com')
  let word = 'unavailable'
  for (let tries = 0; tries < 50 && word === 'unavailable'; tries++) {
    word = await lanes.submit(attemptOf(shop, id, true)).then(
      () => 'paid',
      (error) => error.code,
    )
  }
  return word
}

test('of payers, cancellations and settlements at once exactly one ends it', async () => {
  const shop = await desk.shop()
  let paid = 0
  for (let round = 0; round < 30; round++) {
    const id = await desk.request(shop, { amount: 1 })
    const word = (response: { status: number; body: { status: string; error: string } }) =>
      response.status === 200 ? response.body.status : response.body.error
    const senders = [
      () => payers[0].try(shop, id),
      () => payers[1].try(shop, id),
      async () => word(await desk.callOff(shop, id)),
      async () => word(await desk.callOff(shop, id, { call: other.call })),
      async () => word(await desk.settlePayment(id, 'succeeded', { call: other.call })),
      async () => word(await desk.settlePayment(id, 'failed')),
    ]
    const from = round % senders.length
    const turned = [...senders.slice(from), ...senders.slice(0, from)]
    const words = await Promise.all(turned.map((send) => send()))
    const won = words.filter((one) => ['succeeded', 'failed', 'canceled'].includes(one))
    assert.equal(won.length, 1, words.join())
    for (const lost of words.filter((one) => one !== won[0])) {
      assert.ok(['conflict', 'not_cancellable'].includes(lost), lost)
    }
    assert.equal((await desk.look(shop, id)).body.status, won[0])
    if (won[0] === 'succeeded') paid += 1
  }
  assert.equal((await desk.balance(shop)).available, paid)
})

test('a decline leaves it pending, and the tenth fails it for good', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  const before = (await desk.look(shop, id)).body
  for (let declines = 1; declines < 10; declines++) {
    assert.equal(await payers[declines % 2]!.try(shop, id, false), 'pending')
  }
  assert.deepEqual((await desk.look(shop, id)).body, before)
  assert.equal(await payers[0].try(shop, id, false), 'failed')
  assert.equal(await payers[0].try(shop, id), 'conflict')
  assert.equal(await desk.count(shop), 0)
  assert.deepEqual(await desk.eventTypes(shop, 'payment.%'), ['payment.created', 'payment.failed'])
})

test('declined nine times, it can still be paid', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  for (let declines = 1; declines < 10; declines++) await payers[0].try(shop, id, false)
  assert.equal(await payers[1].try(shop, id), 'succeeded')
})

test('thirty parallel declines count ten, and fail it once', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  const tries = Array.from({ length: 30 }, (_, at) => payers[at % 2]!.try(shop, id, false))
  assert.deepEqual(count(await Promise.all(tries)), { pending: 9, failed: 1, conflict: 20 })
})

test('a suspended account is not paid by its page, and one that is active again is', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  const path = `/v1/accounts/${shop.account_id}`
  const { token } = desk.admin
  await florin.call('PATCH', path, { token, body: { status: 'suspended' } })
  assert.equal(await payers[0].try(shop, id), 'invalid_request')
  assert.equal(await payers[0].try(shop, id, false), 'invalid_request')
  await florin.call('PATCH', path, { token, body: { status: 'active' } })
  assert.equal(await payers[0].try(shop, id), 'succeeded')
})

test('many requests of many accounts are paid in few batches, each once', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => desk.shop()))
  const made = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const shop = shops[at % shops.length]!
      return { shop, id: await desk.request(shop, { amount: at + 1 }) }
    }),
  )
  const paid = await Promise.all(
    made.flatMap(({ shop, id }) => payers.map((some) => some.try(shop, id))),
  )
  assert.deepEqual(count(paid), { succeeded: 100, conflict: 100 })
  const balances = await Promise.all(shops.map((shop) => desk.balance(shop)))
  assert.equal(
    balances.reduce((sum, { available }) => sum + available, 0),
    5_050,
  )
})
