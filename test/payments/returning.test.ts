// The way back from the payment page to the account's site. Every link and redirect uses a URL
// whose origin is registered at that moment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live_env, startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { wait } from '../transactions/due.ts'
import { Customer, cards, type PageResponse } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'
import { assertSafeResponse } from './safe-headers.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)
const fixtures = await openPaymentFixtures(florin)
const origins_path = '/v1/account/return_origins'
const return_url = 'https://shop.example/orders/114'
const cancel_url = 'https://shop.example/cart'

async function newRequest(
  urls: object = { return_url, cancel_url },
  origin = new URL(return_url).origin,
) {
  const shop = await fixtures.shop()
  const { token } = shop
  await florin.call('POST', origins_path, { token, body: { origin } })
  const { id, payment_url } = (await fixtures.createPayment(shop)).body
  const set = await florin.call('PATCH', `/v1/payments/${id}`, { token, body: urls })
  assert.equal(set.status, 200, set.text)
  const customer = new Customer(florin.url, payment_url)
  const back = new Customer(florin.url, `${customer.path}/return`)
  return { shop, id: id as string, token, customer, back, origin }
}

const hasLink = ({ text }: PageResponse, { path }: Customer) =>
  text.includes(`href="${path}/return"`)

const locationOf = async (back: Customer) => {
  const response = await back.open()
  assert.deepEqual([response.status, response.text], [303, ''])
  assertSafeResponse(response)
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  return response.headers.get('location')
}

test('the payer goes back to cancel_url, and after the payment to return_url', async () => {
  const { id, customer, back } = await newRequest()
  assert.ok(hasLink(await customer.open(), customer))
  await assertNoChanges(florin.db.pool, async () => {
    assert.equal(await locationOf(back), `${cancel_url}?payment_id=${id}`)
  })
  await customer.pay(cards.good)
  const receipt = await customer.open()
  assert.ok(hasLink(receipt, customer))
  assert.match(receipt.text, /class="primary" id="back"/)
  assert.equal(await locationOf(back), `${return_url}?payment_id=${id}`)
})

test('without a URL there is no link, and the redirect leads to the page', async () => {
  const first = await newRequest({ return_url })
  assert.ok(!hasLink(await first.customer.open(), first.customer))
  assert.equal(await locationOf(first.back), first.customer.path)
  await first.customer.pay(cards.good)
  assert.ok(hasLink(await first.customer.open(), first.customer))
  const second = await newRequest({ cancel_url })
  await second.customer.pay(cards.good)
  assert.ok(!hasLink(await second.customer.open(), second.customer))
  assert.equal(await locationOf(second.back), second.customer.path)
  const french = new Customer(florin.url, `${second.back.path}?lang=fr`)
  assert.equal(await locationOf(french), `${second.customer.path}?lang=fr`)
})

test('ended requests link to cancel_url', async () => {
  const ends: ((id: string) => Promise<unknown>)[] = [
    (id) => fixtures.cancelPayment(fixtures.admin, id),
    (id) => fixtures.settlePayment(id, 'failed'),
    () => wait(florin, 31 * 86_400),
  ]
  for (const end of ends) {
    const { id, customer, back } = await newRequest()
    await end(id)
    const page = await customer.open()
    assert.match(page.text, /class="secondary" id="back"/)
    assert.equal(await locationOf(back), `${cancel_url}?payment_id=${id}`)
  }
})

test('only payment_id is appended, and the token is never in the URL', async () => {
  const cases: [stored: string, location: string][] = [
    ['https://shop.example', 'https://shop.example/?payment_id=ID'],
    ['https://shop.example/a?b=c', 'https://shop.example/a?b=c&payment_id=ID'],
    ['https://shop.example/a?b=%20+%2B&c#d', 'https://shop.example/a?b=%20+%2B&c&payment_id=ID#d'],
    ['https://shop.example/#/spa?x=1', 'https://shop.example/?payment_id=ID#/spa?x=1'],
    ['https://shop.example/?', 'https://shop.example/?payment_id=ID'],
  ]
  for (const [stored, location] of cases) {
    const { id, customer, back } = await newRequest({ return_url: stored, cancel_url: stored })
    const open = await locationOf(back)
    await customer.pay(cards.good)
    assert.deepEqual([open, await locationOf(back)], Array(2).fill(location.replace('ID', id)))
    const token = customer.path.split('/').at(-1)!
    assert.ok(!open!.includes(token))
    // The page itself does not contain the URL, so nothing can change it after the check.
    assert.ok(!(await customer.open()).text.includes('shop.example'))
  }
})

test('after its origin was deleted, there is no link and no redirect', async () => {
  const { customer, back, token, origin } = await newRequest()
  await florin.call('DELETE', `${origins_path}?origin=${origin}`, { token })
  for (const pay of [false, true]) {
    if (pay) await customer.pay(cards.good)
    assert.ok(!hasLink(await customer.open(), customer))
    assert.equal(await locationOf(back), customer.path)
  }
  await florin.call('POST', origins_path, { token, body: { origin } })
  assert.ok(hasLink(await customer.open(), customer))
})

test('each URL is checked by its own origin, including the port', async () => {
  const { token, id, customer, back } = await newRequest()
  const origin = 'https://shop.example:8443'
  await florin.call('POST', origins_path, { token, body: { origin } })
  const body = { cancel_url: `${origin}/cart` }
  await florin.call('PATCH', `/v1/payments/${id}`, { token, body })
  assert.equal(await locationOf(back), `${origin}/cart?payment_id=${id}`)
  await florin.call('DELETE', `${origins_path}?origin=${origin}`, { token })
  assert.equal(await locationOf(back), customer.path)
  await customer.pay(cards.good)
  assert.equal(await locationOf(back), `${return_url}?payment_id=${id}`)
})

// Written directly, as a bug in validation or a restored backup could leave them.
const unsafe = [
  'javascript:alert(1)',
  'https://evil.example/',
  'https://shop.example@evil.example/',
  'https://user:secret@shop.example/',
  'https://shop.example.evil.example/',
  'https://shop.example./',
  'http://shop.example/',
  '//evil.example',
  '/relative',
  'not a url',
]

test('a stored URL is never trusted', async () => {
  const { shop, customer, back } = await newRequest()
  for (const url of unsafe) {
    const text = 'update payment_returns set return_url = $2, cancel_url = $2 where account_id = $1'
    await florin.db.pool.query(text, [shop.uuid, url])
    assert.ok(!hasLink(await customer.open(), customer), url)
    assert.equal(await locationOf(back), customer.path, url)
  }
})

test('http to loopback is used in sandbox only', async () => {
  const url = 'http://localhost:3000/done'
  const { id, customer, back } = await newRequest({ cancel_url: url }, 'http://localhost:3000')
  assert.equal(await locationOf(back), `${url}?payment_id=${id}`)
  const in_live = new Customer(live.url, back.path)
  assert.equal(await locationOf(in_live), customer.path)
  assert.ok(!hasLink(await new Customer(live.url, customer.path).open(), customer))
})

test('a suspended or closed account gets no payers', async () => {
  const { shop, token, customer, back } = await newRequest()
  const suspend = (status: string) =>
    florin.call('PATCH', `/v1/accounts/${shop.account_id}`, {
      token: fixtures.admin.token,
      body: { status },
    })
  await suspend('suspended')
  assert.ok(!hasLink(await customer.open(), customer))
  assert.equal(await locationOf(back), customer.path)
  await suspend('active')
  assert.ok(hasLink(await customer.open(), customer))
  await florin.call('DELETE', '/v1/account', { token })
  assert.ok(!hasLink(await customer.open(), customer))
  assert.equal(await locationOf(back), customer.path)
})

test('the redirect of an unknown link returns 404', async () => {
  for (const token of ['x', 'a'.repeat(43), '%00']) {
    const page = await new Customer(florin.url, `/pay/${token}/return`).open()
    assert.deepEqual([page.status, page.state], [404, 'not_found'])
  }
})
