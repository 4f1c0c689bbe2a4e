// Providers write amounts in other units. Every amount within the limits must survive the way there
// and back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencies } from '../../src/primitives/currencies.ts'
import { openMollie } from '../../src/processors/mollie.ts'
import { fromMollieAmount, toMollieAmount } from '../../src/processors/mollie-amounts.ts'
import type { AmountLimits, Provider } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { fromStripeAmount, toStripeAmount } from '../../src/processors/stripe-amounts.ts'

const stripe = openStripe({
  secret_key: 'sk_test_none',
  webhook_secrets: [],
  api_url: undefined,
})
const mollie = openMollie({ api_key: 'test_none', access_token: undefined, api_url: undefined })

function amountsWithin({ min, max, step }: AmountLimits): number[] {
  const between = [1, 7, 99, 100, 101, 12_345, 999_999].map((count) => count * step)
  return [min, ...between.filter((amount) => amount >= min && amount <= max), max]
}

function* supportedAmounts(provider: Provider): Generator<[string, number]> {
  for (const currency of currencies.keys()) {
    const limits = provider.limits(currency)
    for (const amount of limits === undefined ? [] : amountsWithin(limits)) yield [currency, amount]
  }
}

test('Stripe amounts round-trip in every supported currency', () => {
  let count = 0
  for (const [currency, amount] of supportedAmounts(stripe)) {
    const sent = toStripeAmount(amount, currency)
    assert.ok(Number.isInteger(sent) && sent >= 1 && sent <= 99_999_999, `${currency} ${amount}`)
    assert.equal(fromStripeAmount(sent, currency), amount, `${currency} ${amount}`)
    count += 1
  }
  assert.ok(count > 1_000)
})

test('Stripe uses other units for some currencies', () => {
  // Published examples: 5 ISK is 500, 5 UGX is 500, 5 MGA is 5, and KWD amounts end in 0.
  assert.equal(toStripeAmount(5, 'ISK'), 500)
  assert.equal(toStripeAmount(5, 'UGX'), 500)
  assert.equal(toStripeAmount(500, 'MGA'), 5)
  assert.equal(toStripeAmount(5_120, 'KWD'), 5_120)
  assert.equal(stripe.limits('KWD')?.step, 10)
  assert.equal(stripe.limits('MGA')?.step, 100)
  assert.equal(toStripeAmount(500, 'JPY'), 500)
  assert.equal(stripe.limits('CLF'), undefined)
})

test('Mollie amounts round-trip in every supported currency', () => {
  for (const [currency, amount] of supportedAmounts(mollie)) {
    const sent = toMollieAmount(amount, currency)
    assert.match(sent.value, /^\d+(\.\d{2})?$/)
    assert.equal(fromMollieAmount(sent), amount, `${currency} ${amount}`)
  }
  assert.deepEqual(toMollieAmount(1, 'EUR'), { currency: 'EUR', value: '0.01' })
  assert.deepEqual(toMollieAmount(1_000, 'JPY'), { currency: 'JPY', value: '1000' })
  assert.equal(fromMollieAmount({ currency: 'JPY', value: '1000.00' }), 1_000)
  assert.equal(mollie.limits('BIF'), undefined)
})

test('the prefix of a key shows whether it moves real money', () => {
  const none = { webhook_secrets: [], api_url: undefined }
  const isLive = (secret_key: string) => openStripe({ ...none, secret_key }).is_live
  assert.deepEqual(['sk_live_x', 'rk_live_x', 'sk_test_x'].map(isLive), [true, true, false])
  assert.equal(
    openMollie({ api_key: 'live_x', access_token: undefined, api_url: undefined }).is_live,
    true,
  )
})
