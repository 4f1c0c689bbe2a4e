// From a message of a provider to the ledger, through the jobs of the worker.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type { Job } from '../../src/jobs/timer.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { CheckoutFixtures, stripe_env, type Visit } from '../payments/checkout-fixtures.ts'
import { FakeMollie } from '../support/fake-mollie.ts'
import type { Row } from '../support/fake-stripe-objects.ts'

const mollie = await FakeMollie.start()
after(() => mollie.stop())
const fixtures = await CheckoutFixtures.open({
  FLORIN_PROCESSOR: 'stripe,mollie',
  FLORIN_PUBLIC_URL: 'https://pay.example',
  FLORIN_MOLLIE_API_KEY: 'test_worker',
  FLORIN_MOLLIE_API_URL: mollie.url,
})
const { florin, fake } = fixtures

const jobs = jobsOf({
  db: florin.db,
  log: pino({ level: 'silent' }),
  config: florin.config,
  processor: fixtures.processor,
})

/** One round of a job of the worker. */
async function run(name: string): Promise<number> {
  const job = jobs.find((each): each is Job => each.name === name)!
  const slots = [...Array(job.slots ?? 1).keys()]
  return (await job.run(florin.db, { slots, signal: new AbortController().signal })).done
}

async function deliver(event: Row): Promise<void> {
  const { headers, body } = fake.message(event, stripe_env.FLORIN_STRIPE_WEBHOOK_SECRET)
  const { status } = await florin.call('POST', '/v1/processors/stripe/webhook', { headers, body })
  assert.equal(status, 200)
}

/** The status of the request and of every transaction of its account. */
async function statusOf({ shop, id }: Visit): Promise<string[]> {
  const { body } = await florin.call('GET', `/v1/payments/${id}`, { token: shop.token })
  const transactions = await fixtures.transactionsOf(shop)
  const lines = transactions.map(
    ({ status, type, amount }: Row) => `${status} ${type} of ${amount}`,
  )
  return [body.status, ...lines]
}

test('repeated and reordered messages record a payment and its refund once', async () => {
  const visit = await fixtures.visit({ amount: 4_200 })
  const session_id = await fixtures.atStripe(visit)
  const from = fake.events.length
  fake.refundInDashboard(fake.pay(session_id)!.id, 200)
  const [paid, refunded] = fake.events.slice(from) as [Row, Row]
  for (const event of [refunded, refunded, paid]) await deliver(event)
  assert.equal(await run('provider_events'), 2)
  const expected = ['succeeded', 'succeeded payment of 4200', 'succeeded refund of 200']
  assert.deepEqual(await statusOf(visit), expected)
  for (const event of [paid, refunded, paid]) await deliver(event)
  assert.equal(await run('provider_events'), 0)
  assert.deepEqual(await statusOf(visit), expected)
})

test('a payment whose message was lost is found by listing the changes', async () => {
  await run('provider_changes')
  await run('provider_events')
  const visit = await fixtures.visit({ amount: 700 })
  fake.pay(await fixtures.atStripe(visit))
  assert.equal(await run('provider_changes'), 1)
  assert.equal(await run('provider_events'), 1)
  assert.deepEqual(await statusOf(visit), ['succeeded', 'succeeded payment of 700'])
})

test('a forged message causes no fetch, and money without a checkout is only shown', async () => {
  const { token } = fixtures.admin
  const { provider_id } = await fixtures.provider.createCheckout({
    account_id: 'acct_01',
    id: 'chk_01',
    amount: 900,
    currency: 'USD',
    description: 'Another program',
    payer_email: null,
    language: 'en',
    success_url: 'https://other.example',
    cancel_url: 'https://other.example',
    public_url: 'https://other.example',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  fake.pay(provider_id)
  const event = fake.events.at(-1)!
  const { headers, body } = fake.message(event, 'whsec_forged')
  const forged = await florin.call('POST', '/v1/processors/stripe/webhook', { headers, body })
  assert.equal(forged.status, 400)
  assert.equal(await run('provider_events'), 0)
  await deliver(event)
  assert.equal(await run('provider_events'), 1)
  const processor = await florin.call('GET', '/v1/processor', { token })
  const [{ unmatched }] = processor.body.providers
  assert.deepEqual([unmatched.count, unmatched.data[0].provider_id], [1, provider_id])
  assert.equal(unmatched.data[0].amount, 900)
})

test('a payment in another mode is not recorded', async () => {
  const visit = await fixtures.visit({ amount: 800 })
  const session_id = await fixtures.atStripe(visit)
  fake.sessions.get(session_id)!.livemode = true
  fake.pay(session_id)
  await deliver(fake.events.at(-1)!)
  await run('provider_events')
  assert.deepEqual(await statusOf(visit), ['pending'])
  fake.sessions.get(session_id)!.livemode = false
  assert.equal(await fixtures.receive(session_id), 'applied')
})

async function atMollie(visit: Visit): Promise<string> {
  const response = await visit.payer.choose('mollie')
  assert.equal(response.status, 303, response.text)
  return response.headers.get('location')!.split('/').at(-1)!
}

/** Mollie sends the same message for every change of a payment. */
async function notify(payment_id: string): Promise<void> {
  const { pathname } = new URL(mollie.payments.get(payment_id)!.webhookUrl as string)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `id=${payment_id}`
  assert.equal((await florin.call('POST', pathname, { headers, body })).status, 200)
  assert.equal(await run('provider_events'), 1)
}

test('a payment, a refund and a chargeback at Mollie are recorded', async () => {
  const visit = await fixtures.visit({ amount: 5_000 })
  const { shop } = visit
  const payment_id = await atMollie(visit)
  await notify(payment_id)
  assert.deepEqual(await statusOf(visit), ['pending'])
  mollie.pay(payment_id)
  await notify(payment_id)
  await notify(payment_id)
  assert.deepEqual(await statusOf(visit), ['succeeded', 'succeeded payment of 5000'])
  const [payment] = await fixtures.transactionsOf(shop)
  const created = await fixtures.refund(shop, 1_500, payment.id)
  assert.equal(created.status, 201, created.text)
  assert.equal(await run('submit_refunds'), 1)
  assert.equal((await statusOf(visit)).at(-1), 'pending refund of 1500')
  const [refund] = mollie.refunds.values()
  assert.deepEqual(refund!.metadata, { florin_transaction_id: created.body.id })
  mollie.finishRefund(refund!.id, 'refunded')
  await notify(payment_id)
  assert.equal((await statusOf(visit)).at(-1), 'succeeded refund of 1500')
  mollie.chargeBack(payment_id, { currency: 'USD', value: '35.00' })
  await notify(payment_id)
  const disputes = await florin.call('GET', '/v1/disputes', { token: shop.token })
  const [dispute] = disputes.body.data
  assert.deepEqual([dispute.status, dispute.amount], ['lost', 3_500])
})

test('a payment at Mollie whose message was lost is found by listing the changes', async () => {
  await run('provider_changes')
  const visit = await fixtures.visit({ amount: 600 })
  mollie.pay(await atMollie(visit))
  await run('provider_changes')
  await run('provider_events')
  assert.deepEqual(await statusOf(visit), ['succeeded', 'succeeded payment of 600'])
})
