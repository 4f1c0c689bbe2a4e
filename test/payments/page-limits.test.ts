// The rate limit of the payment form: the error appears on the page, and nothing is paid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer, cards, hiddenFields, type PageResponse } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'
import { assertSafe } from './safe-headers.ts'

const florin = await startFlorin()
// Behind a proxy, each test uses a separate address and so a separate rate limit.
const slow = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '1', FLORIN_TRUST_PROXY: '1' })
const fixtures = await openPaymentFixtures(florin)

async function germanShop(): Promise<Shop> {
  const shop = await fixtures.shop()
  const body = { settings: { language: 'de' } }
  await florin.call('PATCH', '/v1/account', { token: shop.token, body })
  return shop
}

/** A link at the slow server, and the form that pays it. */
async function newForm(shop: Shop) {
  const { id, payment_url } = (await fixtures.createPayment(shop)).body
  const { text } = await new Customer(florin.url, payment_url).open()
  const fields = { ...hiddenFields(text), number: cards.good, expires: '12 / 80', csc: '123' }
  return { id, fields, customer: new Customer(slow.url, payment_url) }
}

function from(last: number): Record<string, string> {
  return { 'x-forwarded-for': `203.0.113.${last}` }
}

/** How many requests pass depends on timing, but some of them are always limited. */
function atOnce(
  count: number,
  send: (at: number) => Promise<PageResponse>,
): Promise<PageResponse[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => send(at)))
}

function refusedOf(pages: PageResponse[]): PageResponse[] {
  const refused = pages.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0, 'the burst was too slow to hit the limit')
  for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  return refused
}

test('a rate-limited form is shown again in the language of the customer', async () => {
  const { customer, fields } = await newForm(await germanShop())
  // Without a token the form is rejected even if it passes the limit.
  const spent = { ...fields, form_token: '' }
  const send = () => customer.send(spent, { ...from(1), 'accept-language': 'pl' })
  const pages = await assertNoChanges(florin.db.pool, () => atOnce(5, send))
  const french = await customer.send(spent, { ...from(1), 'accept-language': 'fr' })
  assert.match(french.text, /<html lang="fr">/)
  for (const page of refusedOf(pages)) {
    assert.equal(page.state, 'form')
    assert.match(page.text, /<html lang="de">/)
    assert.match(page.text, /<title>Fehler: /)
    assert.match(page.text, /Zu viele Versuche\./)
    assertSafe(page)
    assert.ok(hiddenFields(page.text).form_token, 'it can be submitted again')
  }
})

test('a rate-limited form is not paid, and can be submitted again', async () => {
  const shop = await germanShop()
  const forms = await Promise.all(Array.from({ length: 5 }, () => newForm(shop)))
  const pages = await atOnce(5, (at) => forms[at]!.customer.send(forms[at]!.fields, from(2)))
  refusedOf(pages)
  for (const [at, { status }] of pages.entries()) {
    const { body } = await fixtures.getPayment(shop, forms[at]!.id)
    assert.equal(body.status, status === 303 ? 'succeeded' : 'pending')
  }
  const at = pages.findIndex(({ status }) => status === 429)
  const again = { ...forms[at]!.fields, ...hiddenFields(pages[at]!.text) }
  assert.equal((await forms[at]!.customer.send(again, from(3))).status, 303)
})

test('GET, unknown links and ended requests get the generic rate limit page', async () => {
  const shop = await germanShop()
  const { customer, fields, id } = await newForm(shop)
  const unknown = new Customer(slow.url, '/pay/x')
  const looks = await atOnce(5, () => customer.open('GET', from(4)))
  const strays = await atOnce(5, () => unknown.send(fields, from(5)))
  await fixtures.cancelPayment(shop, id)
  const late = await atOnce(5, () => customer.send(fields, from(6)))
  for (const page of [looks, strays, late].flatMap(refusedOf)) {
    assert.equal(page.state, undefined)
    assert.match(page.text, /<h1>Too many requests<\/h1>/)
    assertSafe(page)
  }
})

test('a flood of forms gets the generic page, which needs no database', async () => {
  const { customer, fields } = await newForm(await germanShop())
  const spent = { ...fields, form_token: '' }
  const pages = await atOnce(100, () => customer.send(spent, from(7)))
  const refused = refusedOf(pages)
  assert.ok(refused.filter(({ state }) => state === 'form').length >= 10)
  assert.ok(refused.some(({ state }) => state === undefined))
})
