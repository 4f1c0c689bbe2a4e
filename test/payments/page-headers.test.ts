// Whatever is behind a payment link, it is sent with every header that keeps it safe. What the rate
// limit refuses is held to the same in page-limits.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { wait } from '../transactions/due.ts'
import { Customer, cards, hiddenFields, type PageResponse } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'
import { assertSafe, assertSafeResponse } from './safe-headers.ts'

const florin = await startFlorin()
const desk = await openPaymentFixtures(florin)
const shop = await desk.shop()
const card = { number: cards.good, expires: '12 / 80', csc: '123' }

async function newLink(url = florin.url) {
  const { id, payment_url } = (await desk.ask(shop)).body
  return { id, customer: new Customer(url, payment_url) }
}

function assertIs(page: PageResponse, status: number, state: string | undefined): void {
  assert.deepEqual([page.status, page.state], [status, state], page.text.slice(0, 2_000))
  assertSafe(page)
}

test('the form is kept safe, first shown and after a fault', async () => {
  const { customer } = await newLink()
  assertIs(await customer.open(), 200, 'form')
  assertIs(await customer.pay(cards.declined), 200, 'form')
  assertIs(await customer.pay('12'), 200, 'form')
})

test('a form that another site sent, or without its token, is answered safely', async () => {
  const { customer } = await newLink()
  assertIs(await customer.send(card, { 'sec-fetch-site': 'cross-site' }), 403, 'form')
  assertIs(await customer.send(card), 403, 'form')
})

test('the way to the receipt is kept safe, and so is the receipt', async () => {
  const { customer } = await newLink()
  const hidden = hiddenFields((await customer.open()).text)
  const sent = await customer.send({ ...hidden, ...card })
  assert.deepEqual([sent.status, sent.text], [303, ''])
  assertSafeResponse(sent)
  assertIs(await customer.open(), 200, 'paid')
  assertIs(await customer.send({ ...hidden, ...card }), 200, 'already_paid')
})

test('what takes no money any more is kept safe', async () => {
  const canceled = await newLink()
  await desk.callOff(shop, canceled.id)
  const failed = await newLink()
  await desk.settlePayment(failed.id, 'failed')
  const expired = await newLink()
  await wait(florin, 31 * 86_400)
  for (const [state, { customer }] of Object.entries({ canceled, failed, expired })) {
    assertIs(await customer.open(), 200, state)
    assertIs(await customer.send(card), 200, state)
  }
})

test('how to pay with the manual processor is told safely', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const { customer } = await newLink(manual.url)
  assertIs(await customer.open(), 200, 'manual')
})

test('a link that is nobody’s is answered safely, and so is a foreign method', async () => {
  const nobody = new Customer(florin.url, '/pay/x')
  assertIs(await nobody.open(), 404, 'not_found')
  assertIs(await nobody.send(card), 404, 'not_found')
  assertIs(await nobody.open('DELETE'), 405, undefined)
})

test('a service that is away says so safely', async () => {
  const alone = await florin.startSecondServer({}, { host: '/nowhere' })
  const { customer } = await newLink(alone.url)
  assertIs(await customer.open(), 503, 'away')
  assertIs(await customer.send(card), 503, 'away')
})
