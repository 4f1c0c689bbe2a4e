// Every response of the payment page has all security headers. page-limits.test.ts checks the
// responses of the rate limit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { wait } from '../transactions/due.ts'
import { Customer, cards, hiddenFields, type PageResponse } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'
import { assertSafe, assertSafeResponse } from './safe-headers.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)
const shop = await fixtures.shop()
const card = { number: cards.good, expires: '12 / 80', csc: '123' }

async function newLink(url = florin.url) {
  const { id, payment_url } = (await fixtures.createPayment(shop)).body
  return { id, customer: new Customer(url, payment_url) }
}

function assertIs(page: PageResponse, status: number, state: string | undefined): void {
  assert.deepEqual([page.status, page.state], [status, state], page.text.slice(0, 2_000))
  assertSafe(page)
}

test('the form has security headers, with and without errors', async () => {
  const { customer } = await newLink()
  assertIs(await customer.open(), 200, 'form')
  assertIs(await customer.pay(cards.declined), 200, 'form')
  assertIs(await customer.pay('12'), 200, 'form')
})

test('cross-site requests and missing form tokens get security headers', async () => {
  const { customer } = await newLink()
  assertIs(await customer.send(card, { 'sec-fetch-site': 'cross-site' }), 403, 'form')
  assertIs(await customer.send(card), 403, 'form')
})

test('the redirect to the receipt and the receipt have security headers', async () => {
  const { customer } = await newLink()
  const hidden = hiddenFields((await customer.open()).text)
  const sent = await customer.send({ ...hidden, ...card })
  assert.deepEqual([sent.status, sent.text], [303, ''])
  assertSafeResponse(sent)
  assertIs(await customer.open(), 200, 'paid')
  assertIs(await customer.send({ ...hidden, ...card }), 200, 'already_paid')
})

test('ended requests have security headers', async () => {
  const canceled = await newLink()
  await fixtures.cancelPayment(shop, canceled.id)
  const failed = await newLink()
  await fixtures.settlePayment(failed.id, 'failed')
  const expired = await newLink()
  await wait(florin, 31 * 86_400)
  for (const [state, { customer }] of Object.entries({ canceled, failed, expired })) {
    assertIs(await customer.open(), 200, state)
    assertIs(await customer.send(card), 200, state)
  }
})

test('the instructions of the manual processor have security headers', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const { customer } = await newLink(manual.url)
  assertIs(await customer.open(), 200, 'manual')
})

test('unknown links and unsupported methods get security headers', async () => {
  const unknown = new Customer(florin.url, '/pay/x')
  assertIs(await unknown.open(), 404, 'not_found')
  assertIs(await unknown.send(card), 404, 'not_found')
  assertIs(await unknown.open('DELETE'), 405, undefined)
})

test('the page of an outage has security headers', async () => {
  const alone = await florin.startSecondServer({}, { host: '/nowhere' })
  const { customer } = await newLink(alone.url)
  assertIs(await customer.open(), 503, 'away')
  assertIs(await customer.send(card), 503, 'away')
})
