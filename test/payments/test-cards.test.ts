// The sandbox's test cards for 3-D Secure, processing errors and disputes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { Customer, cards, hiddenFields, type PageResponse } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)

async function newRequest() {
  const shop = await fixtures.shop()
  const { id, payment_url } = (await fixtures.createPayment(shop, { amount: 4_200 })).body
  const attempts = async () =>
    (await fixtures.attempts(shop, id)).body.data.map(
      ({ outcome, decline_code, card }: Record<string, { last4: string }>) => [
        outcome,
        decline_code,
        card!.last4,
      ],
    )
  return { shop, id, attempts, customer: new Customer(florin.url, payment_url) }
}

function expectPage(page: PageResponse, status: number, state: string): void {
  assert.deepEqual([page.status, page.state], [status, state], page.text.slice(0, 2_000))
}

test('a 3-D Secure card asks for a confirmation first, which changes nothing', async () => {
  const { customer, shop } = await newRequest()
  await assertNoChanges(florin.db.pool, async () => {
    for (const fields of [{}, { confirmation: '' }, { confirmation: 'yes' }]) {
      const page = await customer.pay(cards.confirmed, fields)
      expectPage(page, 200, 'confirm')
      assert.match(page.text, /Your bank asks you to confirm the payment of \$42\.00/)
    }
    expectPage(await customer.open(), 200, 'form')
  })
  assert.equal((await fixtures.balance(shop)).available, 0)
})

test('a confirmed card pays once', async () => {
  const { customer, shop, attempts } = await newRequest()
  const asked = await customer.pay(cards.confirmed)
  const fields = { ...hiddenFields(asked.text), confirmation: 'confirmed' }
  const sent = await customer.send(fields)
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, customer.path])
  expectPage(await customer.open(), 200, 'paid')
  expectPage(await customer.send(fields), 200, 'already_paid')
  assert.deepEqual(await attempts(), [['succeeded', null, '3184']])
  assert.equal((await fixtures.balance(shop)).available, 4_200)
})

test('a rejected confirmation is a declined attempt', async () => {
  const { customer, attempts } = await newRequest()
  const asked = await customer.pay(cards.confirmed)
  const rejected = { ...hiddenFields(asked.text), confirmation: 'rejected' }
  const page = await customer.send(rejected)
  expectPage(page, 200, 'form')
  assert.match(page.text, /The payment was not confirmed\.<\/b> <span>You were not charged\./)
  assert.deepEqual(await attempts(), [['declined', 'authentication_failed', '3184']])
  for (let more = 2; more < 10; more++) expectPage(await customer.send(rejected), 200, 'form')
  expectPage(await customer.send(rejected), 200, 'failed')
})

test('the confirmation needs the form token and does not affect other cards', async () => {
  const { customer } = await newRequest()
  const asked = await customer.pay(cards.confirmed)
  const { card } = hiddenFields(asked.text)
  await assertNoChanges(florin.db.pool, async () => {
    const forged = { form_token: 'x', card: card!, confirmation: 'confirmed' }
    expectPage(await customer.send(forged), 403, 'form')
    const site = { 'sec-fetch-site': 'cross-site' }
    const fields = { ...hiddenFields(asked.text), confirmation: 'confirmed' }
    expectPage(await customer.send(fields, site), 403, 'form')
  })
  expectPage(await customer.pay(cards.declined, { confirmation: 'confirmed' }), 200, 'form')
})

test('the confirmation keeps the language of the page', async () => {
  const { customer } = await newRequest()
  const french = new Customer(florin.url, `${customer.path}?lang=fr`)
  const asked = await french.pay(cards.confirmed)
  assert.match(asked.text, /<html lang="fr">/)
  assert.ok(asked.text.includes(`action="${french.path}"`))
})

test('a processing error is a declined attempt with its own message', async () => {
  const { customer, attempts } = await newRequest()
  const page = await customer.pay(cards.error)
  expectPage(page, 200, 'form')
  assert.match(page.text, /The card could not be processed\.<\/b> <span>You were not charged\./)
  assert.deepEqual(await attempts(), [['declined', 'processing_error', '0119']])
  assert.equal((await customer.pay(cards.good)).status, 303)
})

test('the card for disputes pays, and the charge is disputed', async () => {
  const { customer, attempts, shop } = await newRequest()
  assert.equal((await customer.pay(cards.disputed)).status, 303)
  expectPage(await customer.open(), 200, 'paid')
  assert.deepEqual(await attempts(), [['succeeded', null, '0259']])
  const { data } = (await florin.call('GET', '/v1/disputes', { token: shop.token })).body
  assert.deepEqual(
    data.map(({ amount, status }: Record<string, unknown>) => [amount, status]),
    [[4_200, 'needs_response']],
  )
})

test('the page lists six test cards', async () => {
  const { customer } = await newRequest()
  const { text } = await customer.open()
  const listed = [...text.matchAll(/name="card" value="(\d+)"/g)].map(([, number]) => number)
  const expected = ['good', 'confirmed', 'disputed', 'declined', 'poor', 'error'] as const
  assert.deepEqual(
    listed,
    expected.map((name) => cards[name].replaceAll(' ', '')),
  )
})
