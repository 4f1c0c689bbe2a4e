import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Payers } from '../../payments/payers.ts'
import { openPaymentFixtures } from '../../payments/payment-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'
import { until } from '../../support/until.ts'
import { assertNothingLater, Race, raceUntil } from './racing-close.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openPaymentFixtures(florin)
const payers = new Payers(other.db)

test('closing cancels pending requests with events, and leaves others unchanged', async () => {
  const shop = await fixtures.shop()
  const paid = await fixtures.request(shop)
  await fixtures.settlePayment(paid)
  const [first, second] = [await fixtures.request(shop), await fixtures.request(shop)]
  await fixtures.create(shop)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  for (const id of [first, second]) {
    const { body } = await fixtures.getPayment(fixtures.admin, id)
    assert.equal(body.status, 'canceled')
    assert.ok(body.updated_at <= closed.body.closed_at)
    assert.equal(await payers.attempt(shop, id), 'conflict')
  }
  assert.equal((await fixtures.getPayment(fixtures.admin, paid)).body.status, 'succeeded')
  assert.deepEqual((await fixtures.eventTypes(shop)).slice(-5), [
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
    const shop = await fixtures.shop()
    const open = await Promise.all(Array.from({ length: 60 }, () => fixtures.request(shop)))
    const create = async (call: typeof florin.call) => {
      const { status, body } = await fixtures.createPayment(shop, {}, { call })
      if (status === 201) open.push(body.id)
      return status
    }
    const pay = async () => {
      const id = open.shift()
      return id === undefined ? undefined : payers.attempt(shop, id)
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
