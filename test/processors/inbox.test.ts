// The worker's side of provider messages, against the stand-in for Stripe. What a snapshot changes
// is tested elsewhere: here `receive` only fetches it.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  type InboxParts,
  listChanges,
  processEvents,
  receiveWebhook,
  sweepProviderEvents,
} from '../../src/processors/inbox.ts'
import { ProviderError } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import type { Row } from '../support/fake-stripe-objects.ts'
import { startFlorin } from '../support/florin.ts'

const fake = await FakeStripe.start()
after(() => fake.stop())
const florin = await startFlorin({
  FLORIN_PROCESSOR: 'stripe',
  FLORIN_STRIPE_SECRET_KEY: 'sk_test_1',
  FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1',
  FLORIN_STRIPE_API_URL: fake.url,
})
const { db } = florin
const stripe = openStripe(florin.config.stripe!)
const { token } = await florin.people.admin()
const context = { slots: [0], signal: new AbortController().signal }

beforeEach(() => db.pool.query('truncate provider_events, provider_states'))

interface Received {
  fetched: string[]
  errors: unknown[]
  parts: InboxParts
}

function inbox(result: 'applied' | 'unmatched' | 'unknown' = 'applied'): Received {
  const fetched: string[] = []
  const errors: unknown[] = []
  const parts: InboxParts = {
    db,
    providers: [stripe],
    receive: async (provider, id) => {
      const snapshot = await provider.fetchSnapshot(id)
      fetched.push(snapshot?.provider_id ?? 'none')
      return result === 'unmatched' ? { unmatched: snapshot! } : result
    },
    report: (error) => errors.push(error),
  }
  return { fetched, errors, parts }
}

let last = 0

async function openCheckout(): Promise<string> {
  last += 1
  const { provider_id } = await stripe.createCheckout({
    account_id: 'acct_01',
    id: `chk_${last}`,
    amount: 4_200,
    currency: 'EUR',
    description: 'Invoice 7',
    payer_email: null,
    language: 'en',
    success_url: 'https://pay.example/pay/x',
    cancel_url: 'https://pay.example/pay/x',
    public_url: 'https://pay.example',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  return provider_id
}

async function deliver(event: Row): Promise<void> {
  const { headers, body } = fake.message(event, 'whsec_1')
  assert.ok(await receiveWebhook(db, stripe, { path: '', headers, body: Buffer.from(body) }))
}

async function countByState(): Promise<Record<string, number>> {
  const { rows } = await db.pool.query(
    'select state, count(*)::int as count from provider_events group by 1',
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

const readProcessor = async () => (await florin.call('GET', '/v1/processor', { token })).body

test('repeated and reordered messages are processed once', async () => {
  const id = await openCheckout()
  const from = fake.events.length
  const charge = fake.pay(id)!
  fake.refundInDashboard(charge.id, 100)
  const [paid, refunded] = fake.events.slice(from) as [Row, Row]
  for (const event of [refunded, paid, paid, refunded]) await deliver(event)
  const { fetched, errors, parts } = inbox()
  assert.deepEqual(await processEvents(parts, context), { done: 2, more: false })
  // The refund names the payment intent, which leads to the same checkout.
  assert.deepEqual([fetched, errors], [[id, id], []])
  await deliver(paid)
  assert.deepEqual(await processEvents(parts, context), { done: 0, more: false })
  assert.deepEqual(await countByState(), { done: 2 })
})

test('events about the same object are processed by one fetch', async () => {
  const id = await openCheckout()
  const events = ['evt_a', 'evt_b', 'evt_c'].map((event_id) => ({
    ...{ id: event_id, object: 'event', type: 'checkout.session.completed' },
    data: { object: { id, object: 'checkout.session' } },
  }))
  for (const event of events) await deliver(event)
  const { fetched, parts } = inbox()
  assert.equal((await processEvents(parts, context)).done, 3)
  assert.deepEqual(fetched, [id])
})

test('a failed fetch is retried later, and the error is reported', async () => {
  const id = await openCheckout()
  fake.pay(id)
  await deliver(fake.events.at(-1)!)
  fake.faults.set('/v1/checkout', ['rate_limit'])
  const { fetched, errors, parts } = inbox()
  await processEvents(parts, context)
  assert.ok(errors.length === 1 && errors[0] instanceof ProviderError)
  const [failing] = (await readProcessor()).providers
  assert.deepEqual([failing.state, failing.backlog], ['failing', 1])
  assert.match(failing.last_error, /^Stripe: /)
  assert.ok(Date.parse(failing.oldest_backlog_at) <= Date.parse(failing.last_error_at))
  assert.equal((await processEvents(parts, context)).done, 0, 'it waits for its next attempt')
  await db.pool.query(`update provider_events set next_at = now() - interval '1 second'`)
  assert.equal((await processEvents(parts, context)).done, 1)
  assert.deepEqual(fetched, [id])
  await listChanges(parts, context)
  const [recovered] = (await readProcessor()).providers
  assert.deepEqual([recovered.state, recovered.backlog], ['ok', 0])
})

test('an event whose worker died is processed by another worker', async () => {
  fake.pay(await openCheckout())
  await deliver(fake.events.at(-1)!)
  const { parts } = inbox()
  const dying = { ...parts, receive: () => new Promise<never>(() => {}) }
  void processEvents(dying, context)
  while ((await countLeased()) === 0);
  assert.equal((await processEvents(parts, context)).done, 0)
  await db.pool.query(`update provider_events set next_at = now() - interval '1 second'`)
  assert.equal((await processEvents(parts, context)).done, 1)
  assert.deepEqual(await countByState(), { done: 1 })
})

async function countLeased(): Promise<number> {
  const { rows } = await db.pool.query(
    'select count(*)::int as count from provider_events where lease_id is not null',
  )
  return rows[0].count
}

test('a stopping worker leaves events to another worker', async () => {
  fake.pay(await openCheckout())
  await deliver(fake.events.at(-1)!)
  const { fetched, parts } = inbox()
  await processEvents(parts, { ...context, signal: AbortSignal.abort() })
  assert.deepEqual([fetched, await countLeased()], [[], 0])
  assert.equal((await processEvents(parts, context)).done, 1)
})

test('a payment that belongs to no checkout is shown once, an unpaid checkout never', async () => {
  const [paid, unpaid] = [await openCheckout(), await openCheckout()]
  const from = fake.events.length
  const charge = fake.pay(paid)!
  fake.refundInDashboard(charge.id, 100)
  fake.expire(unpaid)
  for (const event of fake.events.slice(from)) await deliver(event)
  await processEvents(inbox('unmatched').parts, context)
  assert.deepEqual(await countByState(), { unmatched: 2, done: 1 })
  const { unmatched } = (await readProcessor()).providers[0]
  assert.equal(unmatched.count, 1)
  const { event_id, received_at, ...payment } = unmatched.data[0]
  assert.deepEqual(payment, { provider_id: paid, amount: 4_200, currency: 'EUR' })
  assert.ok(event_id.startsWith('evt_') && Date.parse(received_at) > 0)
})

test('a payment whose message was lost is found by listing the changes', async () => {
  const { fetched, parts } = inbox()
  // The first round only remembers where to continue.
  await listChanges(parts, context)
  assert.deepEqual(await countByState(), {})
  const id = await openCheckout()
  fake.pay(id)
  assert.deepEqual(await listChanges(parts, context), { done: 1, more: false })
  await processEvents(parts, context)
  assert.deepEqual(fetched, [id])
  // Its message arrives late, and the change is not listed again.
  await deliver(fake.events.at(-1)!)
  assert.deepEqual(await listChanges(parts, context), { done: 0, more: false })
  assert.deepEqual(await countByState(), { done: 1 })
})

test('more than one page of changes is listed in one round', async () => {
  const { parts } = inbox()
  await listChanges(parts, context)
  for (let at = 0; at < 120; at++) fake.expire(await openCheckout())
  assert.equal((await listChanges(parts, context)).done, 120)
  assert.deepEqual(await countByState(), { due: 120 })
})

test('a failed round does not lose changes', async () => {
  const { errors, parts } = inbox()
  await listChanges(parts, context)
  fake.pay(await openCheckout())
  fake.faults.set('/v1/events', ['rate_limit'])
  assert.equal((await listChanges(parts, context)).done, 0)
  assert.equal(errors.length, 1)
  assert.equal((await listChanges(parts, context)).done, 1)
})

test('processed events are deleted after 30 days, unmatched payments never', async () => {
  await db.pool.query(`
    insert into provider_events (provider, event_id, provider_id, state, received_at)
    select 'stripe', state || days, 'cs_1', state, now() - days * interval '1 day'
    from unnest(array['due', 'done', 'unmatched']) as state, unnest(array[29, 31]) as days`)
  assert.equal(await sweepProviderEvents(db), 1)
  assert.deepEqual(await countByState(), { due: 2, done: 1, unmatched: 2 })
})

test('GET /v1/processor describes a provider before anything happened', async () => {
  const { providers, ...rest } = await readProcessor()
  assert.deepEqual(rest, {
    object: 'processor',
    mode: 'sandbox',
    transfers: false,
    late_payments: 'refund',
    pending_refunds: 0,
  })
  assert.deepEqual(providers, [
    {
      name: 'stripe',
      is_live: false,
      state: 'ok',
      last_webhook_at: null,
      last_sweep_at: null,
      last_error: null,
      last_error_at: null,
      backlog: 0,
      oldest_backlog_at: null,
      unmatched: { count: 0, data: [] },
    },
  ])
  await deliver({ id: 'evt_x', type: 'customer.created', data: { object: {} } })
  const [{ last_webhook_at }] = (await readProcessor()).providers
  assert.ok(Math.abs(Date.parse(last_webhook_at) - Date.now()) < 60_000)
})
