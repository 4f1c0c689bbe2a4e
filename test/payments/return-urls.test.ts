// return_url and cancel_url of payment requests through the API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live_env, startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { wait } from '../transactions/due.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)
const fixtures = await openPaymentFixtures(florin)
const origins_path = '/v1/account/return_origins'

async function shopWith(...origins: string[]) {
  const shop = await fixtures.shop()
  for (const origin of origins) {
    const options = { token: shop.token, body: { origin } }
    assert.equal((await florin.call('POST', origins_path, options)).status, 201)
  }
  return shop
}

const update = (token: string, id: string, body: object, call = florin.call) =>
  call('PATCH', `/v1/payments/${id}`, { token, body })

const urlsOf = async (token: string, id: string) =>
  (await florin.call('GET', `/v1/payments/${id}/return_urls`, { token })).body

test('PATCH sets, keeps and removes the URLs', async () => {
  const shop = await shopWith('https://shop.example')
  const { token } = shop
  const id = await fixtures.request(shop)
  assert.deepEqual(await urlsOf(token, id), { id, return_url: null, cancel_url: null })
  const return_url = 'https://shop.example/orders/114?from=florin#receipt'
  const set = await update(token, id, { return_url })
  assert.deepEqual([set.status, set.body], [200, { id, return_url, cancel_url: null }])
  const cancel_url = 'https://shop.example/cart'
  const both = await update(token, id, { cancel_url })
  assert.deepEqual(both.body, { id, return_url, cancel_url })
  assert.deepEqual(await urlsOf(token, id), both.body)
  assert.deepEqual((await update(token, id, {})).body, both.body)
  const removed = await update(token, id, { return_url: null })
  assert.deepEqual(removed.body, { id, return_url: null, cancel_url })
})

test('the payment request itself and its events do not change', async () => {
  const shop = await shopWith('https://shop.example')
  const id = await fixtures.request(shop)
  const before = await fixtures.getPayment(shop, id)
  await update(shop.token, id, { return_url: 'https://shop.example/' })
  assert.equal((await fixtures.getPayment(shop, id)).text, before.text)
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment%'), ['payment.created'])
})

test('create does not accept the URLs', async () => {
  const shop = await shopWith('https://shop.example')
  for (const field of ['return_url', 'cancel_url']) {
    const { status } = await fixtures.createPayment(shop, { [field]: 'https://shop.example/' })
    assert.equal(status, 400)
  }
})

const foreign = [
  'https://evil.example/',
  'https://shop.example.evil.example/',
  'https://evil.example/https://shop.example',
  'https://evil.example/?shop.example',
  'https://sub.shop.example/',
  'https://shop.example:8443/',
  'https://shop.example:80/',
  'https://xn--shp-9na.example/',
  'http://localhost/',
  'http://localhost:3001/',
  'https://localhost:3000/',
]

const malformed: [url: string, rule: RegExp][] = [
  ['javascript:alert(1)', /must be an https URL .*; got "javascript:alert\(1\)"/],
  ['JaVaScRiPt://shop.example/%0aalert(1)', /https URL/],
  ['data:text/html,x', /https URL/],
  ['/orders/114', /https URL/],
  ['//shop.example/', /https URL/],
  ['https:shop.example', /https URL/],
  ['https:/shop.example', /https URL/],
  ['https://shop.example\\@evil.example', /https URL/],
  ['https://shop.example /', /https URL/],
  ['https://shop.example@evil.example/', /must not contain a user name or password/],
  ['https://user:secret@shop.example/', /must not contain a user name or password/],
  ['https://@shop.example/', /must not contain a user name or password/],
  ['https://shop.example./', /must have a host name without a dot at the end/],
  ['http://shop.example/', /must start with https:\/\/, or be an http URL of this machine/],
  ['https://shop.example/?payment_id=pay_x', /must not have the parameter "payment_id"/],
  ['https://shop.example/?a=1&payment%5Fid=x', /must not have the parameter "payment_id"/],
  [`https://shop.example/${'ü'.repeat(400)}`, /must have at most 2048 characters when encoded/],
  [`https://shop.example/${'a'.repeat(2_048)}`, /must have at most 2048 characters/],
  ['https://shop.example/\nx', /control characters/],
]

test('foreign origins and malformed URLs are rejected', async () => {
  const shop = await shopWith('https://shop.example', 'http://localhost:3000')
  const id = await fixtures.request(shop)
  await assertNoChanges(florin.db.pool, async () => {
    for (const field of ['return_url', 'cancel_url']) {
      for (const url of foreign) {
        const { status, body } = await update(shop.token, id, { [field]: url })
        assert.deepEqual([status, body.error], [400, 'invalid_request'], url)
        const { origin } = new URL(url)
        const start = `"${field}" must have one of the account's return origins; got "${origin}".`
        assert.ok(body.message.startsWith(start), body.message)
      }
      for (const [url, rule] of malformed) {
        const { status, body } = await update(shop.token, id, { [field]: url })
        assert.deepEqual([status, body.error], [400, 'invalid_request'], url)
        assert.ok(body.message.startsWith(`"${field}" `), body.message)
        assert.match(body.message, rule)
        assert.doesNotMatch(body.message, /secret/)
      }
    }
  })
})

test('a registered origin matches in its normalized form', async () => {
  const shop = await shopWith('https://shop.example', 'https://shop.example:8443')
  const id = await fixtures.request(shop)
  const normalized: Record<string, string> = {
    'HTTPS://SHOP.example': 'https://shop.example/',
    'https://shop.example:443/a': 'https://shop.example/a',
    'https://shop.example:8443/a%20b': 'https://shop.example:8443/a%20b',
    'https://shop.example/ü?ü': 'https://shop.example/%C3%BC?%C3%BC',
  }
  for (const [return_url, stored] of Object.entries(normalized)) {
    const { status, body } = await update(shop.token, id, { return_url })
    assert.deepEqual([status, body.return_url], [200, stored])
  }
})

test('http to loopback is accepted in sandbox only', async () => {
  const shop = await shopWith('http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]')
  const id = await fixtures.request(shop)
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]']) {
    const body = { return_url: `${origin}/done` }
    assert.equal((await update(shop.token, id, body)).status, 200, origin)
    const refused = await update(shop.token, id, body, live.call)
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /^"return_url" must start with https:\/\/; got /)
  }
})

test('origins and requests of another account are unknown', async () => {
  const [shop, other] = [await shopWith('https://shop.example'), await shopWith()]
  const own = await fixtures.request(other)
  const body = { return_url: 'https://shop.example/' }
  assert.equal((await update(other.token, own, body)).status, 400)
  assert.equal((await update(shop.token, own, body)).status, 404)
  assert.equal((await urlsOf(shop.token, own)).error, 'not_found')
})

test('an ended or expired request cannot be updated', async () => {
  const shop = await shopWith('https://shop.example')
  const body = { return_url: 'https://shop.example/' }
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['canceled', (id) => fixtures.cancelPayment(shop, id)],
    ['failed', (id) => fixtures.settlePayment(id, 'failed')],
    ['succeeded', (id) => fixtures.settlePayment(id)],
    ['canceled', () => wait(florin, 31 * 86_400)],
  ]
  for (const [state, end] of ends) {
    const id = await fixtures.request(shop)
    await end(id)
    const refused = await update(shop.token, id, body)
    assert.deepEqual([refused.status, refused.body.error], [409, 'conflict'])
    assert.match(refused.body.message, new RegExp(`this one is (${state}|expired)\\.`))
  }
})

test('an Idempotency-Key replays the response', async () => {
  const shop = await shopWith('https://shop.example')
  const id = await fixtures.request(shop)
  const send = (return_url: string) =>
    florin.call('PATCH', `/v1/payments/${id}`, {
      token: shop.token,
      body: { return_url },
      headers: { 'idempotency-key': 'set-1' },
    })
  const first = await send('https://shop.example/1')
  await update(shop.token, id, { return_url: null })
  assert.equal((await send('https://shop.example/1')).text, first.text)
  assert.equal((await send('https://shop.example/2')).status, 422)
  assert.equal((await urlsOf(shop.token, id)).return_url, null)
})
