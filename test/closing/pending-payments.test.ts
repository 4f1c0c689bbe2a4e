import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Payers } from '../payments/payers.ts'
import { openPaymentFixtures } from '../payments/payment-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { assertNothingLater, Race, raceUntil } from './racing-close.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const desk = await openPaymentFixtures(florin)
const payers = new Payers(other.db)

test('closing cancels pending requests with events, and leaves others unchanged', async () => {
  const shop = await desk.shop()
  const paid = await desk.request(shop)
  await desk.settlePayment(paid)
  const [first, second] = [await desk.request(shop), await desk.request(shop)]
  await desk.create(shop)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  for (const id of [first, second]) {
    const { body } = await desk.getPayment(desk.admin, id)
    assert.equal(body.status, 'canceled')
    assert.ok(body.updated_at <= closed.body.closed_at)
    assert.equal(await payers.try(shop, id), 'conflict')
  }
  assert.equal((await desk.getPayment(desk.admin, paid)).body.status, 'succeeded')
  assert.deepEqual((await desk.eventTypes(shop)).slice(-5), [
    'payment.canceled',
    'payment.canceled',
    'transaction.canceled',
    'user.deleted',
    'account.closed',
  ])
})

test('requests and payments that race a close leave no pending or later rows', async () => {
  await raceUntil(['201', '401', 'succeeded', 'conflict'], async () => {
    const race = new Race()
    const shop = await desk.shop()
    const open = await Promise.all(Array.from({ length: 60 }, () => desk.request(shop)))
    const create = async (call: typeof florin.call) => {
      const { status, body } = await desk.createPayment(shop, {}, { call })
      if (status === 201) open.push(body.id)
      return status
    }
    const pay = async () => {
      const id = open.shift()
      return id === undefined ? undefined : payers.try(shop, id)
    }
    const calls = Array.from({ length: 8 }, (_, at) => (at % 2 ? florin.call : other.call))
    const creating = calls.map((call) => race.repeat('201', () => create(call)))
    await until(() => race.before.length >= 20)
    const paying = Array.from({ length: 4 }, () => race.repeat('succeeded', pay))
    race.is_closing = true
    const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
    assert.equal(closed.status, 200, closed.text)
    await Promise.all(creating)
    await Promise.all(paying)
    await assertNothingLater(florin, shop.uuid, closed.body.closed_at)
    return race
  })
})
