// The charge of a payment: GET /v1/transactions/{id}/charge.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { StripeCharges } from '../transactions/stripe-charges.ts'
import { Payers } from './payers.ts'

const florin = await startFlorin()
const fixtures = await StripeCharges.open(florin)
const payers = new Payers(florin.db)

/** Pays a request by card in the sandbox; returns the id of its transaction. */
async function paidByCard(shop: Awaited<ReturnType<typeof fixtures.shop>>, amount: number) {
  const id = await fixtures.request(shop, { amount })
  assert.equal(await payers.attempt(shop, id), 'succeeded')
  return (await fixtures.getPayment(shop, id)).body.transaction_id as string
}

test('a card payment in the sandbox has a charge without a fee', async () => {
  const shop = await fixtures.shop()
  const transaction_id = await paidByCard(shop, 500)
  const { status, body } = await fixtures.charge(shop, transaction_id)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    object: 'charge',
    transaction_id,
    provider: 'sandbox',
    charge_id: `ch_${findUuid('transaction', transaction_id)!.replaceAll('-', '')}`,
    amount: 500,
    currency: 'USD',
    fee: null,
    net: null,
    refunded_amount: 0,
    disputed: false,
    card: { brand: 'visa', last4: '4242' },
    checkout_id: null,
  })
})

test('a refund of a sandbox charge settles after the usual delay', async () => {
  const shop = await fixtures.shop()
  const transaction_id = await paidByCard(shop, 500)
  const { body } = await fixtures.refund(shop, 200, transaction_id)
  assert.equal(body.status, 'pending')
  const { rows } = await florin.db.pool.query(
    `select due_at is not null as is_due from transactions
      where account_id = $1 and type = 'refund'`,
    [shop.uuid],
  )
  assert.deepEqual(rows, [{ is_due: true }])
  assert.equal(await fixtures.submitRefunds(), 0)
  assert.equal((await fixtures.settle(body.id)).status, 200)
  assert.equal((await fixtures.charge(shop, transaction_id)).body.refunded_amount, 200)
})

test('a charge at a provider shows its fee once the provider has determined it', async () => {
  const shop = await fixtures.shop()
  fixtures.fake.has_fees = false
  const payment = await fixtures.paid(shop, 1_000)
  await fixtures.apply(payment)
  const before = (await fixtures.charge(shop, payment.id)).body
  assert.deepEqual([before.provider, before.fee, before.net], ['stripe', null, null])
  assert.deepEqual([before.charge_id, before.card], [payment.charge_id, null])
  fixtures.fake.has_fees = true
  await fixtures.apply(payment)
  await fixtures.apply(payment)
  const after = (await fixtures.charge(shop, payment.id)).body
  assert.deepEqual([after.fee, after.net], [40, 960])
  assert.equal((await fixtures.buckets(shop)).available, 960)
})

test('a charge is visible to those who can retrieve its transaction', async () => {
  const shop = await fixtures.shop()
  const other = await fixtures.shop()
  const transaction_id = await paidByCard(shop, 500)
  const path = `/v1/transactions/${transaction_id}/charge`
  const statusFor = async (token?: string) =>
    (await florin.call('GET', path, token === undefined ? {} : { token })).status
  assert.equal(await statusFor(shop.token), 200)
  assert.equal(await statusFor(fixtures.admin.token), 200)
  assert.equal(await statusFor(other.token), 404)
  assert.equal(await statusFor(), 401)
})

test('a transaction without a charge is not_found', async () => {
  const shop = await fixtures.shop()
  const transaction_id = await fixtures.fund(shop, 100)
  const { status, body } = await fixtures.charge(shop, transaction_id)
  assert.deepEqual([status, body.error], [404, 'not_found'])
  assert.match(body.message, /^No charge paid this transaction\./)
})
