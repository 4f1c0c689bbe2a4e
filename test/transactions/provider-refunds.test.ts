// Refunds of payments that Stripe has charged. The stand-in for Stripe is the provider.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openProcessor } from '../../src/processors/processor.ts'
import type { Provider } from '../../src/processors/provider.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { wait } from './due.ts'
import { StripeCharges } from './stripe-charges.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await StripeCharges.open(florin)
const { fake } = fixtures

const hour_s = 3_600

async function created(response: Promise<ApiResponse>): Promise<string> {
  const { status, body, text } = await response
  assert.equal(status, 201, text)
  assert.equal(body.status, 'pending')
  return body.id
}

async function statusOf(shop: Parameters<StripeCharges['get']>[0], id: string): Promise<string> {
  return (await fixtures.get(shop, id)).body.status
}

test('the provider pays out a refund of a charge, and the customer gets an email', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 5_000)
  const id = await created(fixtures.refund(shop, 2_000, payment.id))
  assert.deepEqual(await fixtures.buckets(shop), {
    available: 3_000,
    incoming: 0,
    held: 2_000,
    owed: 0,
  })
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'succeeded')
  assert.deepEqual(await fixtures.buckets(shop), {
    available: 3_000,
    incoming: 0,
    held: 0,
    owed: 0,
  })
  assert.deepEqual(fixtures.refundKeys().slice(-1), [id])
  const [refund] = [...fake.refunds.values()].slice(-1)
  assert.deepEqual([refund!.charge, refund!.amount], [payment.charge_id, 2_000])
  assert.equal((await fixtures.charge(shop, payment.id)).body.refunded_amount, 2_000)
  const text = `select count(*)::int as n from emails where cause like $1`
  const { rows } = await florin.db.pool.query(text, [`payment_refund:%:${id}`])
  assert.equal(rows[0].n, 1)
  // Nothing is due anymore, and the snapshot contains nothing new.
  await wait(florin, 24 * hour_s)
  assert.equal(await fixtures.submitRefunds(), 0)
  await fixtures.apply(payment)
  assert.deepEqual(await fixtures.others(shop), ['succeeded refund of 2000'])
})

test('a refund that the provider rejects fails and releases its amount', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  const id = await created(fixtures.refund(shop, 600, payment.id))
  fake.refundInDashboard(payment.charge_id, 700)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'failed')
  assert.equal((await fixtures.buckets(shop)).available, 1_000)
  await fixtures.apply(payment)
  assert.deepEqual(await fixtures.others(shop), ['failed refund of 600', 'succeeded refund of 700'])
})

test('after a lost response the call is repeated with the same key, and refunds once', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 900)
  const id = await created(fixtures.refund(shop, 900, payment.id))
  // The library of Stripe repeats a request whose connection was closed once.
  fake.faults.set('/v1/refunds', ['lose_response', 'lose_response'])
  assert.equal(await fixtures.submitRefunds(), 0)
  assert.equal(fixtures.errors.length, 1)
  assert.equal(await statusOf(shop, id), 'pending')
  // Another worker does not repeat the call while it may be in progress.
  assert.equal(await fixtures.submitRefunds(), 0)
  assert.deepEqual(fixtures.errors, [])
  await wait(florin, 120)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'succeeded')
  const of_charge = [...fake.refunds.values()].filter(({ charge }) => charge === payment.charge_id)
  assert.equal(of_charge.length, 1)
  const keys = fixtures.refundKeys().filter((key) => key === id)
  assert.equal(keys.length, 3)
})

test('a submitted refund can be neither canceled nor settled by hand', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 800)
  const id = await created(fixtures.refund(shop, 300, payment.id))
  const early = await fixtures.settle(id, 'succeeded')
  assert.deepEqual([early.status, early.body.error], [409, 'conflict'])
  fake.faults.set('/v1/refunds', ['lose_request', 'lose_request'])
  await fixtures.submitRefunds()
  const canceled = await fixtures.cancel(shop, id)
  assert.deepEqual([canceled.status, canceled.body.error], [409, 'not_cancellable'])
  assert.match(canceled.body.message, /sent to the payment provider/)
  const settled = await fixtures.settle(id, 'failed')
  assert.deepEqual([settled.status, settled.body.error], [409, 'conflict'])
  assert.match(settled.body.message, /settled by the payment provider/)
  await wait(florin, 120)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'succeeded')
})

test('a refund that is canceled before it is submitted never reaches the provider', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 800)
  const id = await created(fixtures.refund(shop, 300, payment.id))
  assert.equal((await fixtures.cancel(shop, id)).status, 200)
  assert.equal(await fixtures.submitRefunds(), 0)
  assert.ok(!fixtures.refundKeys().includes(id))
  assert.equal((await fixtures.buckets(shop)).available, 800)
})

test('a refund is either canceled or sent, never both', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  for (let round = 0; round < 8; round += 1) {
    const id = await created(fixtures.refund(shop, 100, payment.id))
    const [canceled] = await Promise.all([fixtures.cancel(shop, id), fixtures.submitRefunds()])
    const expected = canceled.status === 200 ? 'canceled' : 'succeeded'
    assert.equal(await statusOf(shop, id), expected)
    assert.equal(fixtures.refundKeys().includes(id), expected === 'succeeded')
  }
})

test('a worker that was suspended leaves the call to the next attempt', async (t) => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  const id = await created(fixtures.refund(shop, 100, payment.id))
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  assert.equal(await fixtures.submitRefunds(() => t.mock.timers.tick(31_000)), 0)
  assert.match(String(fixtures.errors[0]), /was not sent in time/)
  assert.ok(!fixtures.refundKeys().includes(id))
  t.mock.timers.reset()
  await wait(florin, 120)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'succeeded')
})

test('the worker sends refunds if a provider is configured', async () => {
  const { db, config } = florin
  const log = pino({ level: 'silent' })
  const namesFor = (providers: Provider[]) =>
    jobsOf({ db, log, config, processor: { ...manual, providers } }).map(({ name }) => name)
  const manual = await openProcessor(config)
  assert.ok(namesFor([fixtures.provider]).includes('submit_refunds'))
  assert.ok(!namesFor([]).includes('submit_refunds'))
})

test('a refund that is pending at the provider succeeds by a snapshot, or when asked', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  fake.refund_status = 'pending'
  const [first, second] = [
    await created(fixtures.refund(shop, 100, payment.id)),
    await created(fixtures.refund(shop, 200, payment.id)),
  ]
  assert.equal(await fixtures.submitRefunds(), 2)
  fake.refund_status = 'succeeded'
  await fixtures.apply(payment)
  assert.deepEqual(
    [await statusOf(shop, first), await statusOf(shop, second)],
    ['pending', 'pending'],
  )
  const [one, other] = [...fake.refunds.values()].slice(-2)
  fake.completeRefund(one!.id)
  await fixtures.apply(payment)
  const statuses = [await statusOf(shop, first), await statusOf(shop, second)]
  assert.deepEqual(statuses.toSorted(), ['pending', 'succeeded'])
  fake.completeRefund(other!.id)
  const calls = fixtures.refundKeys().length
  await wait(florin, 120)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(fixtures.refundKeys().length, calls, 'an existing refund is not requested again')
  assert.deepEqual(await fixtures.others(shop), [
    'succeeded refund of 100',
    'succeeded refund of 200',
  ])
})

test('a refund that fails after it succeeded becomes one credit, and can be repeated', async () => {
  const shop = await fixtures.shop(100)
  const payment = await fixtures.paid(shop, 700)
  await created(fixtures.refund(shop, 700, payment.id))
  await fixtures.submitRefunds()
  const older = (await fixtures.provider.fetchSnapshot(payment.session_id))!
  const [refund] = [...fake.refunds.values()].slice(-1)
  fake.failRefund(refund!.id)
  await fixtures.apply(payment)
  await fixtures.apply(payment)
  // A snapshot from before the failure arrives late.
  await fixtures.applySnapshot(payment, older)
  const ended = ['succeeded refund of 700', 'succeeded credit of 700']
  assert.deepEqual(await fixtures.others(shop), ended)
  assert.equal((await fixtures.charge(shop, payment.id)).body.refunded_amount, 0)
  await created(fixtures.refund(shop, 700, payment.id))
  await fixtures.submitRefunds()
  await fixtures.apply(payment)
  assert.deepEqual(await fixtures.others(shop), [...ended, 'succeeded refund of 700'])
})

test('a refund made in the dashboard is recorded once, even beyond the balance', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  fake.refundInDashboard(payment.charge_id, 400)
  await fixtures.apply(payment)
  await fixtures.apply(payment)
  assert.deepEqual(await fixtures.others(shop), ['succeeded refund of 400'])
  // 1.5 % and 25 are the fee.
  assert.deepEqual(await fixtures.buckets(shop), { available: 560, incoming: 0, held: 0, owed: 0 })
  const spent = await created(fixtures.create(shop, { type: 'refund', amount: 500 }))
  assert.equal((await fixtures.settle(spent)).status, 200)
  fake.refundInDashboard(payment.charge_id, 600)
  await fixtures.apply(payment)
  assert.deepEqual(await fixtures.buckets(shop), { available: 0, incoming: 0, held: 0, owed: 540 })
  await fixtures.fund(shop, 600)
  assert.deepEqual(await fixtures.buckets(shop), { available: 60, incoming: 0, held: 0, owed: 0 })
  const listed = await florin.call('GET', `/v1/transactions/${payment.id}/refunds`, {
    token: shop.token,
  })
  assert.deepEqual([listed.body.refunded_amount, listed.body.refundable_amount], [1_000, 0])
})

test('a dashboard refund may exceed the limit while another refund is on its way', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  const id = await created(fixtures.refund(shop, 1_000, payment.id))
  fake.refundInDashboard(payment.charge_id, 1_000)
  await fixtures.apply(payment)
  const { body } = await fixtures.charge(shop, payment.id)
  assert.equal(body.refunded_amount, 2_000)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.equal(await statusOf(shop, id), 'failed')
  assert.equal((await fixtures.buckets(shop)).owed, 40)
})

for (const [forgets, hours, key_lives_ms] of [
  ['24 hours', 21, fixtures.provider.key_lives_ms],
  ['an hour', 1, 45 * 60_000],
] as const) {
  test(`a provider that forgets keys after ${forgets} is asked before a repetition`, async () => {
    fixtures.provider = { ...fixtures.provider, key_lives_ms }
    await repeatAfter(hours)
  })
}

async function repeatAfter(hours: number): Promise<void> {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  const lost_response = await created(fixtures.refund(shop, 100, payment.id))
  fake.faults.set('/v1/refunds', ['lose_response', 'lose_response'])
  await fixtures.submitRefunds()
  const lost_request = await created(fixtures.refund(shop, 200, payment.id))
  fake.faults.set('/v1/refunds', ['lose_request', 'lose_request'])
  await fixtures.submitRefunds()
  await wait(florin, hours * hour_s)
  // Stripe forgets its keys: the same call would refund again.
  fake.forgetKeys()
  const before = fixtures.refundKeys().length
  assert.equal(await fixtures.submitRefunds(), 2)
  assert.deepEqual(fixtures.refundKeys().slice(before), [lost_request])
  assert.equal(await statusOf(shop, lost_response), 'succeeded')
  assert.equal(await statusOf(shop, lost_request), 'succeeded')
  const of_charge = [...fake.refunds.values()].filter(({ charge }) => charge === payment.charge_id)
  assert.deepEqual(of_charge.map(({ amount }) => amount).toSorted(), [100, 200])
}

test('a disputed payment cannot be refunded until the dispute is won', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  await fixtures.setDisputed(payment, true)
  const refused = await fixtures.refund(shop, 100, payment.id)
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'])
  assert.match(refused.body.message, /"reference" must be the id of a payment without a dispute/)
  assert.equal((await fixtures.charge(shop, payment.id)).body.disputed, true)
  await fixtures.setDisputed(payment, false)
  await created(fixtures.refund(shop, 100, payment.id))
  assert.equal(await fixtures.submitRefunds(), 1)
})

test('refunds of payments without a charge do not reach the provider', async () => {
  const shop = await fixtures.shop()
  const payment_id = await fixtures.fund(shop, 500)
  const id = await created(fixtures.refund(shop, 500, payment_id))
  assert.equal(await fixtures.submitRefunds(), 0)
  assert.equal((await fixtures.settle(id)).status, 200)
  const missing = await fixtures.charge(shop, payment_id)
  assert.deepEqual([missing.status, missing.body.error], [404, 'not_found'])
})

test('a submitted refund of an account that closes is recorded once it is paid out', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.paid(shop, 1_000)
  const queued = await created(fixtures.refund(shop, 100, payment.id))
  // Not due yet, so that only the other one is submitted.
  await florin.db.pool.query(
    `update provider_refunds set next_at = next_at + interval '1 hour' where account_id = $1`,
    [shop.uuid],
  )
  const submitted = await created(fixtures.refund(shop, 300, payment.id))
  fake.faults.set('/v1/refunds', ['lose_response', 'lose_response'])
  await fixtures.submitRefunds()
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  const canceled = ['canceled refund of 100', 'canceled refund of 300']
  assert.deepEqual(await fixtures.others(shop), canceled)
  await wait(florin, 2 * hour_s)
  assert.equal(await fixtures.submitRefunds(), 1)
  assert.deepEqual(await fixtures.others(shop), [...canceled, 'succeeded refund of 300'])
  assert.ok(!fixtures.refundKeys().includes(queued))
  const paid_out = [...fake.refunds.values()].filter(({ charge }) => charge === payment.charge_id)
  assert.deepEqual(
    paid_out.map(({ metadata }) => metadata),
    [{ florin_transaction_id: submitted }],
  )
  assert.deepEqual(await fixtures.buckets(shop), { available: 700, incoming: 0, held: 0, owed: 0 })
  assert.equal((await fixtures.eventTypes(shop)).at(-1), 'account.closed')
  await wait(florin, 24 * hour_s)
  assert.equal(await fixtures.submitRefunds(), 0)
})
