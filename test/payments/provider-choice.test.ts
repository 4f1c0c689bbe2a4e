// A payer chooses among the providers that accept the amount.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FakeMollie } from '../support/fake-mollie.ts'
import { CheckoutFixtures } from './checkout-fixtures.ts'

const mollie = await FakeMollie.start()
after(() => mollie.stop())
const fixtures = await CheckoutFixtures.open({
  FLORIN_PROCESSOR: 'stripe,mollie',
  FLORIN_MOLLIE_API_KEY: 'test_choice',
  FLORIN_MOLLIE_API_URL: mollie.url,
})
const { fake } = fixtures

test('the payer goes to the provider that was chosen', async () => {
  const visit = await fixtures.visit({ amount: 1_000 })
  const at_mollie = await visit.payer.choose('mollie')
  assert.ok(at_mollie.headers.get('location')!.startsWith(mollie.url))
  await fixtures.atStripe(visit)
  const unknown = await visit.payer.choose('another')
  assert.equal(unknown.status, 403)
})

test('a provider that the page does not offer is not called', async () => {
  // Stripe accepts eight digits.
  const visit = await fixtures.visit({ amount: 100_000_000 })
  const page = await visit.payer.open()
  assert.doesNotMatch(page.text, /value="stripe"/)
  const before = fake.requests.length
  const response = await visit.payer.submit(page, 'stripe')
  assert.equal(fake.requests.length, before)
  assert.ok(response.headers.get('location')!.startsWith(mollie.url), response.text)
})
