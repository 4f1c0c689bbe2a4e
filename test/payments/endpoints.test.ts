// The payment endpoints: exact response shapes and every error.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { Customer, cards } from './customer.ts'
import { createdKeys, openPaymentFixtures, wholeKeys } from './payment-fixtures.ts'

const florin = watchRefusals(
  await startFlorin({ FLORIN_PUBLIC_URL: 'https://pay.example.com/shop/' }),
)
const fixtures = await openPaymentFixtures(florin)

function expectError(response: ApiResponse, status: number, error: string): void {
  assert.deepEqual([response.status, response.body.error], [status, error], response.text)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
}

test('POST returns a pending request with exactly the fields of the contract', async () => {
  const shop = await fixtures.shop()
  const metadata = { order: '114', '1': null }
  const more = { amount: 7500, reference: 'Invoice 114', metadata }
  const { status, body } = await fixtures.createPayment(shop, more)
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body).sort(), createdKeys)
  const { id, created_at, payment_url, ...rest } = body
  assert.match(id, /^pay_[0-9a-z]{26}$/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.match(payment_url, /^https:\/\/pay\.example\.com\/shop\/pay\/[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(rest, {
    account_id: shop.account_id,
    amount: 7500,
    currency: 'USD',
    status: 'pending',
    customer_email: 'customer@example.com',
    reference: 'Invoice 114',
    metadata,
  })
  const bare = (await fixtures.createPayment(shop)).body
  assert.deepEqual([bare.reference, bare.metadata], [null, {}])
  assert.notEqual(bare.payment_url, payment_url)
})

test('status returns six fields; GET and list return four more than POST', async () => {
  const shop = await fixtures.shop()
  const created = (await fixtures.createPayment(shop, { reference: 'r' })).body
  const { id, created_at, amount, currency, reference } = created
  const status = (await fixtures.status(shop, id)).body
  const expected = { id, status: 'pending', amount, currency, reference, updated_at: created_at }
  assert.deepEqual(status, expected)
  const whole = (await fixtures.getPayment(shop, id)).body
  assert.deepEqual(Object.keys(whole).sort(), wholeKeys)
  const expires_at = new Date(Date.parse(created_at) + 30 * 86_400_000).toISOString()
  const more = { updated_at: created_at, expires_at, transaction_id: null, refunded_amount: 0 }
  assert.deepEqual(whole, { ...created, ...more })
  const list = (await fixtures.list(shop)).body
  assert.deepEqual(list, { object: 'list', data: [whole], has_more: false })
})

test('a currency other than the account’s, or an invalid field, returns 400', async () => {
  const shop = await fixtures.shop()
  const bad: object[] = [
    { currency: 'EUR' },
    { currency: 'usd' },
    { amount: 0 },
    { amount: '100' },
    { amount: 1_000_000_000_000 },
    { customer_email: 'invalid' },
    { customer_email: 'a@b.example\r\nBcc: c@d.example' },
    { customer_email: `${'a'.repeat(250)}@example.com` },
    { customer_email: null },
    { reference: 'x'.repeat(256) },
    { reference: 'a\u0000b' },
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1])) },
    { metadata: { a: '\u0000' } },
    { metadata: { a: 2 ** 53 } },
    { unknown: 1 },
  ]
  await assertNoChanges(florin.db.pool, async () => {
    for (const body of bad)
      expectError(await fixtures.createPayment(shop, body), 400, 'invalid_request')
  })
})

test('an unknown, foreign, malformed or closed account returns account_not_found', async () => {
  const shop = await fixtures.shop()
  const other = await fixtures.shop()
  const closed = await fixtures.shop()
  await florin.call('DELETE', '/v1/account', { token: closed.token })
  const unknown = toTypeId('account', newUuid(Date.now()))
  const lone = await florin.people.lone()
  for (const account_id of [other.account_id, unknown, 'x', closed.account_id]) {
    const response = await fixtures.createPayment(shop, { account_id })
    expectError(response, 404, 'account_not_found')
    assert.match(response.body.message, /^"account_id" must be the id of an open account /)
  }
  expectError(
    await fixtures.createPayment({ ...shop, token: lone.token }),
    404,
    'account_not_found',
  )
  const { token } = fixtures.admin
  for (const account_id of [unknown, 'x', closed.account_id]) {
    expectError(
      await fixtures.createPayment(shop, { account_id }, { token }),
      404,
      'account_not_found',
    )
  }
  const headers = { 'florin-account': other.account_id }
  expectError(await fixtures.createPayment(shop, {}, { token, headers }), 400, 'invalid_request')
  assert.equal((await fixtures.createPayment(shop, {}, { token })).status, 201)
})

test('a suspended or pending account cannot create or send requests', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const { token } = fixtures.admin
  for (const status of ['suspended', 'pending']) {
    const path = `/v1/accounts/${shop.account_id}`
    assert.equal((await florin.call('PATCH', path, { token, body: { status } })).status, 200)
    expectError(await fixtures.createPayment(shop), 400, 'invalid_request')
    expectError(await fixtures.resend(shop, id), 400, 'invalid_request')
    assert.equal((await fixtures.getPayment(shop, id)).status, 200)
  }
  assert.equal((await fixtures.cancelPayment(shop, id)).body.status, 'canceled')
})

test('a request of a suspended account can be settled', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const { token } = fixtures.admin
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/accounts/${shop.account_id}`, { token, body })
  assert.equal((await fixtures.settlePayment(id)).body.status, 'succeeded')
  assert.equal((await fixtures.balance(shop)).available, 100)
})

test('the currency of an account cannot change after its first request', async () => {
  const shop = await fixtures.shop()
  await fixtures.cancelPayment(shop, await fixtures.request(shop))
  const body = { settings: { currency: 'EUR' } }
  const response = await florin.call('PATCH', '/v1/account', { token: shop.token, body })
  expectError(response, 400, 'invalid_request')
})

test('cancel and send return the whole request, or 409 once it has ended', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const sent = await fixtures.resend(shop, id)
  assert.equal(sent.status, 200)
  assert.deepEqual(sent.body, (await fixtures.getPayment(shop, id)).body)
  const canceled = await fixtures.cancelPayment(shop, id, { body: {} })
  assert.equal(canceled.status, 200)
  assert.equal(canceled.body.status, 'canceled')
  assert.deepEqual(canceled.body, (await fixtures.getPayment(shop, id)).body)
  await assertNoChanges(florin.db.pool, async () => {
    expectError(await fixtures.cancelPayment(shop, id), 409, 'not_cancellable')
    expectError(await fixtures.resend(shop, id), 409, 'conflict')
    expectError(await fixtures.settlePayment(id), 409, 'conflict')
    expectError(await fixtures.settlePayment(id, 'failed'), 409, 'conflict')
    expectError(
      await fixtures.cancelPayment(shop, id, { body: { reason: 1 } }),
      400,
      'invalid_request',
    )
  })
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment.%'), [
    'payment.created',
    'payment.canceled',
  ])
})

test('settle creates a succeeded transaction with both postings and all events', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop, { amount: 4_200, reference: 'r', metadata: { own: 1 } })
  const settled = await fixtures.settlePayment(id)
  assert.equal(settled.status, 200, settled.text)
  assert.equal(settled.body.status, 'succeeded')
  const { transaction_id, updated_at } = settled.body
  const paid = (await fixtures.get(shop, transaction_id)).body
  const { created_at, updated_at: paid_at, ...rest } = paid
  assert.ok(created_at <= paid_at && paid_at <= updated_at)
  assert.deepEqual(rest, {
    id: transaction_id,
    account_id: shop.account_id,
    amount: 4_200,
    currency: 'USD',
    type: 'payment',
    status: 'succeeded',
    reference: 'r',
    metadata: { payment_request: id },
  })
  assert.deepEqual(await fixtures.balance(shop), { available: 4_200, incoming: 0, held: 0 })
  assert.deepEqual((await fixtures.eventTypes(shop)).slice(-4), [
    'payment.created',
    'transaction.created',
    'transaction.succeeded',
    'payment.succeeded',
  ])
  const refund = await fixtures.refund(shop, 4_200, transaction_id)
  assert.equal(refund.status, 201, 'the payment can be refunded')
})

test('a request settled as failed moves no money', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const failed = await fixtures.settlePayment(id, 'failed', { body: { outcome: 'failed' } })
  assert.deepEqual([failed.body.status, failed.body.transaction_id], ['failed', null])
  assert.equal(await fixtures.count(shop), 0)
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment.%'), [
    'payment.created',
    'payment.failed',
  ])
})

test('a payment that exceeds the maximum balance returns 400 and changes nothing', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  // Changes only the balance row, and restores it for the invariant checks.
  const set = 'update balances set available = $2 where account_id = $1'
  await florin.db.pool.query(set, [shop.uuid, Number.MAX_SAFE_INTEGER])
  expectError(await fixtures.settlePayment(id), 400, 'invalid_request')
  await florin.db.pool.query(set, [shop.uuid, 0])
  assert.equal((await fixtures.getPayment(shop, id)).body.status, 'pending')
})

test('the same key has one effect and byte-identical responses', async () => {
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': 'once' }
  const first = await fixtures.createPayment(shop, {}, { headers })
  const second = await fixtures.createPayment(shop, {}, { headers })
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await fixtures.list(shop)).body.data.length, 1)
  expectError(
    await fixtures.createPayment(shop, { amount: 1 }, { headers }),
    422,
    'idempotency_conflict',
  )
  const { id } = first.body
  const key = { headers: { 'idempotency-key': 'cancel' } }
  const canceled = await fixtures.cancelPayment(shop, id, key)
  assert.equal((await fixtures.cancelPayment(shop, id, key)).text, canceled.text)
  expectError(await fixtures.cancelPayment(shop, id), 409, 'not_cancellable')
})

test('50 parallel requests with one key over two servers create one request', async () => {
  const other = await florin.startSecondServer()
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': 'fifty' }
  const calls = [florin.call, other.call]
  const sent = Array.from({ length: 50 }, (_, at) =>
    fixtures.createPayment(shop, {}, { headers, call: calls[at % 2]! }),
  )
  const responses = await Promise.all(sent)
  const created = responses.filter(({ status }) => status === 201)
  assert.equal(new Set(created.map(({ text }) => text)).size, 1)
  for (const { status } of responses) assert.ok(status === 201 || status === 409)
  assert.equal((await fixtures.list(shop)).body.data.length, 1)
})

test('with a public URL that has a path, all links of the page are under that path', async () => {
  const { body } = await fixtures.createPayment(await fixtures.shop(), {})
  const customer = new Customer(florin.url, body.payment_url)
  const { pathname } = new URL(body.payment_url)
  const page = await customer.open()
  const all = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, path]) => path!)
  const links = all.filter((path) => !path.startsWith('mailto:'))
  assert.equal(links.filter((path) => path.startsWith(`${pathname}?lang=`)).length, 5)
  assert.equal(links.length, 10)
  for (const path of links) assert.ok(path.startsWith('/shop/'), path)
  assert.deepEqual(links.filter((path) => path === pathname).length, 2)
  const paid = await customer.pay(cards.good)
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, pathname])
})

test('a request can be sent at most twenty times', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.createPayment(shop)).body
  const send = () => florin.call('POST', `/v1/payments/${id}/send`, { token: shop.token })
  for (let n = 2; n <= 20; n += 1) assert.equal((await send()).status, 200)
  const response = await send()
  expectError(response, 400, 'invalid_request')
  assert.match(response.body.message, /at most 20 times/)
})

test('large metadata of a request counts against the quota of the day', async () => {
  const shop = await fixtures.shop()
  const metadata = { a: 'x'.repeat(1_600) }
  assert.equal((await fixtures.createPayment(shop, { metadata })).status, 201)
  await florin.db.pool.query(
    'update balances set metadata_day_bytes = 1073741824 where account_id = $1',
    [shop.uuid],
  )
  const response = await fixtures.createPayment(shop, { metadata })
  expectError(response, 400, 'invalid_request')
  assert.match(response.body.message, /used up its 1 GiB of larger metadata/)
  assert.equal((await fixtures.createPayment(shop)).status, 201)
})
