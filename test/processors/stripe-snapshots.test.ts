// What the adapter makes of Stripe's less common states, and amounts that it must not send.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ProviderError } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import type { Reply, Row } from '../support/fake-stripe-objects.ts'
import type { StripeRequest } from '../support/fake-stripe-server.ts'

/** Changes the payment intents, charges and balance transactions of the next responses. */
class ChangedStripe extends FakeStripe {
  intent: object = {}
  charge: object = {}
  entry: object = {}

  static override async start(): Promise<ChangedStripe> {
    const fake = new ChangedStripe()
    await fake.listen()
    return fake
  }

  protected override respond(request: StripeRequest): Reply {
    const reply = super.respond(request)
    const { payment_intent: intent, ...session } = reply.body as Row
    if (intent === null || typeof intent !== 'object') return reply
    const { latest_charge: charge, ...rest } = intent as { latest_charge: Row | null }
    const entry = charge && { ...(charge.balance_transaction as Row), ...this.entry }
    const latest_charge = charge && { ...charge, balance_transaction: entry, ...this.charge }
    const payment_intent = { ...rest, latest_charge, ...this.intent }
    return { ...reply, body: { ...session, payment_intent } }
  }
}

async function openSession(amount = 10_000, currency = 'EUR') {
  const fake = await ChangedStripe.start()
  after(() => fake.stop())
  const stripe = openStripe({ secret_key: 'sk_test_1', webhook_secrets: [], api_url: fake.url })
  const { provider_id } = await stripe.createCheckout({
    account_id: 'acct_01',
    id: 'chk_01',
    amount,
    currency,
    description: 'Invoice 7',
    payer_email: null,
    language: 'en',
    success_url: 'https://pay.example.com/pay/x?returned=1',
    cancel_url: 'https://pay.example.com/pay/x',
    public_url: 'https://pay.example.com',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  return { fake, stripe, provider_id }
}

test('a voucher that the payer takes to a shop is on its way', async () => {
  const { fake, stripe, provider_id } = await openSession(10_000, 'JPY')
  fake.payByDebit(provider_id)
  const states: (string | undefined)[] = []
  for (const status of ['requires_action', 'processing', 'requires_payment_method', 'canceled']) {
    fake.intent = { status }
    states.push((await stripe.fetchSnapshot(provider_id))?.state)
  }
  assert.deepEqual(states, ['processing', 'processing', 'failed', 'failed'])
})

test('a session is paid only together with its charge', async () => {
  const { fake, stripe, provider_id } = await openSession()
  fake.pay(provider_id)
  fake.charge = { status: 'pending' }
  const early = await stripe.fetchSnapshot(provider_id)
  assert.deepEqual([early?.state, early?.charge], ['processing', null])
  fake.charge = {}
  const paid = await stripe.fetchSnapshot(provider_id)
  assert.deepEqual([paid?.state, paid?.charge?.amount], ['paid', 10_000])
})

test('the payer is charged in the currency of the account', async () => {
  const { fake, stripe, provider_id } = await openSession()
  assert.equal(fake.requests[0]?.params['adaptive_pricing[enabled]'], 'false')
  fake.pay(provider_id)
  fake.charge = { currency: 'usd', amount: 11_500 }
  const snapshot = await stripe.fetchSnapshot(provider_id)
  assert.deepEqual([snapshot?.currency, snapshot?.charge?.amount], ['USD', 11_500])
})

test('a fee in another currency is converted whatever the units of both currencies', async () => {
  // 10 000 JPY settle as 65.00 USD with a fee of 2.60 USD: 4 %.
  const { fake, stripe, provider_id } = await openSession(10_000, 'JPY')
  fake.pay(provider_id)
  for (const exchange_rate of [0.0065, 0.65, null]) {
    fake.entry = { amount: 6_500, fee: 260, currency: 'usd', exchange_rate }
    const snapshot = await stripe.fetchSnapshot(provider_id)
    assert.equal(snapshot?.charge?.fee, 400)
  }
})

test('a refund that Stripe would have to round is rejected before it is sent', async () => {
  const { fake, stripe, provider_id } = await openSession(100_000, 'MGA')
  const { id: charge_id } = fake.pay(provider_id)!
  const refund = { transaction_id: 'txn_1', provider_id, charge_id, currency: 'MGA' }
  await assert.rejects(
    stripe.refund({ ...refund, amount: 1_050 }),
    (error) =>
      error instanceof ProviderError && error.is_final && /steps of 100/.test(error.message),
  )
  assert.equal(fake.refunds.size, 0)
  assert.equal((await stripe.refund({ ...refund, amount: 1_100 })).amount, 1_100)
})
