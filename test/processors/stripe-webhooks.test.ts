// Signatures are made by Stripe's own library, which serves as the reference.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { openStripe } from '../../src/processors/stripe.ts'

const [secret, next_secret] = ['whsec_old', 'whsec_new']
const provider = openStripe({
  secret_key: 'sk_test_none',
  webhook_secrets: [secret, next_secret],
  api_url: undefined,
})

function message(event: unknown, signed: { secret?: string; timestamp?: number } = {}) {
  const payload = JSON.stringify(event)
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: signed.secret ?? secret,
    ...(signed.timestamp === undefined ? {} : { timestamp: signed.timestamp }),
  })
  return { path: '', headers: { 'stripe-signature': header }, body: Buffer.from(payload) }
}

function eventAbout(type: string, object: Record<string, unknown>) {
  return { id: 'evt_1', object: 'event', type, data: { object } }
}

const completed = eventAbout('checkout.session.completed', {
  id: 'cs_1',
  object: 'checkout.session',
})

test('a signed event names the checkout session', async () => {
  const expected = { event_id: 'evt_1', provider_id: 'cs_1' }
  assert.deepEqual(await provider.readWebhook(message(completed)), expected)
  // Both secrets are valid during a rotation.
  const rotated = message(completed, { secret: next_secret })
  assert.deepEqual(await provider.readWebhook(rotated), expected)
})

test('refunds and disputes name the payment intent', async () => {
  for (const type of ['charge.refunded', 'refund.failed', 'charge.dispute.created']) {
    const event = eventAbout(type, { id: 'x_1', object: 'charge', payment_intent: 'pi_1' })
    const notice = await provider.readWebhook(message(event))
    assert.equal(notice?.provider_id, 'pi_1', type)
  }
})

test('an event about anything else is ignored', async () => {
  const other = eventAbout('customer.created', { id: 'cus_1', object: 'customer' })
  assert.equal(await provider.readWebhook(message(other)), null)
  const unlinked = eventAbout('charge.refunded', { id: 'ch_1', object: 'charge' })
  assert.equal(await provider.readWebhook(message(unlinked)), null)
})

test('a forged, changed, old or unsigned message is not accepted', async () => {
  const now_s = Math.floor(Date.now() / 1_000)
  const signed = message(completed)
  const changed = { ...signed, body: Buffer.from(JSON.stringify({ ...completed, id: 'evt_2' })) }
  const refused = [
    message(completed, { secret: 'whsec_foreign' }),
    message(completed, { timestamp: now_s - 301 }),
    changed,
    { ...signed, headers: {} },
    { ...signed, headers: { 'stripe-signature': 't=1,v1=00' } },
  ]
  for (const each of refused) assert.equal(await provider.readWebhook(each), undefined)
})
