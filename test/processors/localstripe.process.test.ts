// The adapter and the webhook endpoint against localstripe, which was written by others: refunds
// and signatures are not checked only against our own reading of Stripe's documentation. It rejects
// the parameters with which the adapter lists events, and has no Checkout.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { ProviderError, type ProviderSettlement } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { startFlorin } from '../support/florin.ts'
import { noLocalstripe, startLocalstripe } from '../support/localstripe.ts'
import { until } from '../support/until.ts'

const secret_key = 'sk_test_12345'
const webhook_secret = 'whsec_localstripe'
const florin = await startFlorin({
  FLORIN_PROCESSOR: 'stripe',
  FLORIN_STRIPE_SECRET_KEY: secret_key,
  FLORIN_STRIPE_WEBHOOK_SECRET: `whsec_next,${webhook_secret}`,
})

function clientOf(api_url: string): Stripe {
  const { hostname: host, port } = new URL(api_url)
  return new Stripe(secret_key, { protocol: 'http', host, port, telemetry: false })
}

/** Pays as a customer would with the library of Stripe. */
async function pay(api_url: string, amount: number): Promise<Stripe.PaymentIntent> {
  const stripe = clientOf(api_url)
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
  })
  const intent = await stripe.paymentIntents.create({
    amount,
    currency: 'eur',
    payment_method: method.id,
    confirm: true,
  })
  assert.equal(intent.status, 'succeeded')
  return intent
}

function chargeOf({ latest_charge }: Stripe.PaymentIntent): string {
  return typeof latest_charge === 'string' ? latest_charge : latest_charge!.id
}

test('localstripe refunds a charge', { skip: noLocalstripe }, async (t) => {
  const api_url = await startLocalstripe(t)
  const provider = openStripe({ secret_key, webhook_secrets: [], api_url })
  assert.ok(Math.abs((await provider.check()).at.getTime() - Date.now()) < 60_000)
  const intent = await pay(api_url, 4_200)
  const request = { provider_id: 'cs_1', charge_id: chargeOf(intent), currency: 'EUR' }
  const refund = await provider.refund({ ...request, transaction_id: 'txn_1', amount: 1_200 })
  assert.match(refund.id, /^re_/)
  const { transaction_id, amount, state } = refund
  assert.deepEqual([transaction_id, amount, state], ['txn_1', 1_200, 'succeeded'])
  await assert.rejects(
    provider.refund({ ...request, charge_id: 'ch_none', transaction_id: 'txn_2', amount: 1 }),
    (error) => error instanceof ProviderError && error.is_final,
  )
})

test('the balance at localstripe has all movements', { skip: noLocalstripe }, async (t) => {
  const api_url = await startLocalstripe(t)
  const { refund, balance } = openStripe({ secret_key, webhook_secrets: [], api_url })
  const intent = await pay(api_url, 4_200)
  const charge_id = chargeOf(intent)
  const request = { provider_id: 'cs_1', charge_id, currency: 'EUR' }
  const { id: refund_id } = await refund({ ...request, transaction_id: 'txn_1', amount: 1_200 })
  const since = new Date(0)
  const { rows, next } = await balance!.listEntries({ since }, undefined)
  const shown = rows.map(({ kind, source_id, amount, fee, currency }) =>
    [kind, source_id, amount, fee, currency].join(' '),
  )
  assert.deepEqual(
    shown.toSorted(),
    [`charge ${charge_id} 4200 0 EUR`, `refund ${refund_id} -1200 0 EUR`].toSorted(),
  )
  assert.equal(rows.find(({ kind }) => kind === 'refund')!.charge_id, charge_id)
  assert.equal(next, undefined)
  const { payouts } = clientOf(api_url)
  const payout = await payouts.create({ amount: 3_000, currency: 'eur' })
  const listed = await balance!.listSettlements({ since }, undefined)
  const [{ id, amount, currency, status, grouping }] = listed.rows as [ProviderSettlement]
  assert.deepEqual(
    { id, amount, currency, status, grouping },
    { id: payout.id, amount: 3_000, currency: 'EUR', status: 'pending', grouping: 'none' },
  )
})

test('webhooks that localstripe signs are accepted', { skip: noLocalstripe }, async (t) => {
  const api_url = await startLocalstripe(t)
  const register = async (secret: string) => {
    const url = `${florin.url}/v1/processors/stripe/webhook`
    const body = new URLSearchParams({ url, secret })
    const response = await fetch(`${api_url}/_config/webhooks/florin`, { method: 'POST', body })
    assert.equal(response.status, 200)
  }
  const { token } = await florin.people.admin()
  const findLast = async () => {
    const { body } = await florin.call('GET', '/v1/processor', { token })
    return body.providers[0].last_webhook_at
  }
  const refused: number[] = []
  florin.app.server.on('request', (_, response) => {
    response.on('finish', () => refused.push(response.statusCode))
  })
  await register('whsec_wrong')
  await pay(api_url, 100)
  await until(() => Promise.resolve(refused.includes(400)))
  assert.equal(await findLast(), null)
  await register(webhook_secret)
  await pay(api_url, 200)
  await until(async () => (await findLast()) !== null)
})
