// Disputes that a provider reports: fetched with the state of the checkout, and decided there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckoutFixtures } from '../payments/checkout-fixtures.ts'

const fixtures = await CheckoutFixtures.open()
const { florin, fake } = fixtures
const amount = 5_000

/** A paid request whose charge is disputed, fetched once. */
async function disputedPayment(disputed = amount) {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  const charge = fake.pay(session_id)!
  await fixtures.receive(session_id)
  const { id } = fake.dispute(charge.id, disputed)
  await fixtures.receive(session_id)
  return { ...visit, session_id, charge, dispute_id: id as string }
}

const read = async (token: string, path: string) => (await florin.call('GET', path, { token })).body

async function buckets(token: string): Promise<[number, number]> {
  const { available, owed } = await read(token, '/v1/account/balance')
  return [available, owed]
}

test('a dispute at Stripe withdraws the amount once, and a won one returns it once', async () => {
  const { shop, session_id, dispute_id } = await disputedPayment()
  const before = await buckets(shop.token)
  await fixtures.receive(session_id)
  const { data } = await read(shop.token, '/v1/disputes')
  assert.equal(data.length, 1)
  const [dispute] = data
  assert.deepEqual(
    [dispute.provider, dispute.provider_dispute_id, dispute.status, dispute.amount],
    ['stripe', dispute_id, 'needs_response', amount],
  )
  assert.equal(dispute.evidence_url, `https://dashboard.stripe.com/disputes/${dispute_id}`)
  assert.deepEqual(await buckets(shop.token), before)
  fake.closeDispute(dispute_id, 'won')
  await fixtures.receive(session_id)
  await fixtures.receive(session_id)
  const [available, owed] = await buckets(shop.token)
  assert.deepEqual([available - owed, owed], [before[0] - before[1] + amount, 0])
  assert.deepEqual(await fixtures.eventTypes(shop, 'dispute.%'), ['dispute.created', 'dispute.won'])
})

test('a dispute above the payment is owed, and the charge is shown as disputed', async () => {
  const { shop } = await disputedPayment(2 * amount)
  const [available, owed] = await buckets(shop.token)
  assert.equal(available, 0)
  assert.ok(owed >= amount, String(owed))
  const { data } = await read(shop.token, '/v1/disputes')
  const path = `/v1/transactions/${data[0].transaction_id}/charge`
  assert.equal((await read(shop.token, path)).disputed, true)
  const refund = await fixtures.refund(shop, 1, data[0].transaction_id)
  assert.deepEqual([refund.status, refund.body.error], [400, 'invalid_request'])
})

test('a dispute at Stripe cannot be resolved in the sandbox', async () => {
  const { shop } = await disputedPayment()
  const { data } = await read(shop.token, '/v1/disputes')
  const path = `/v1/disputes/${data[0].id}/resolve`
  const body = { status: 'won' }
  const response = await florin.call('POST', path, { token: shop.token, body })
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
  assert.match(response.body.message, /"stripe" decides this one/)
})
