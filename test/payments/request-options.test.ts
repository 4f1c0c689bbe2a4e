// Payment requests with options: due date, message, reminder, and no email.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer } from './customer.ts'
import { openPaymentFixtures, optionKeys, wholeKeys } from './payment-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)
const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

function create(shop: Shop, options: object, headers: Record<string, string> = {}) {
  const body = {
    account_id: shop.account_id,
    amount: 7_500,
    currency: 'USD',
    customer_email: 'ann@example.com',
    ...options,
  }
  return florin.call('POST', '/v1/payment_requests', { token: shop.token, body, headers })
}

async function created(shop: Shop, options: object) {
  const response = await create(shop, options)
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function refusal(shop: Shop, options: object): Promise<string> {
  const response = await assertNoChanges(florin.db.pool, () => create(shop, options))
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
  return response.body.message
}

async function emailStates(shop: Shop, id: string) {
  const response = await florin.call('GET', `/v1/payments/${id}/emails`, { token: shop.token })
  assert.equal(response.status, 200, response.text)
  return response.body.data as Record<string, unknown>[]
}

async function advance(ms: number) {
  const body = { seconds: Math.ceil(ms / 1_000) }
  const path = '/v1/sandbox/clock/advance'
  const { status } = await florin.call('POST', path, { token: fixtures.admin.token, body })
  assert.equal(status, 200)
}

const kindsOf = (emails: Record<string, unknown>[]) => emails.map(({ kind }) => kind)

test('without options the request is the same as one of POST /v1/payments', async () => {
  const shop = await fixtures.shop()
  const request = await created(shop, {})
  const keys = [...wholeKeys, ...optionKeys].sort()
  assert.deepEqual(Object.keys(request).sort(), keys)
  const { message, reminder_at, reminder_days, sends, payment_link_id, ...payment } = request
  assert.deepEqual((await fixtures.getPayment(shop, request.id)).body, payment)
  assert.deepEqual([message, reminder_days, sends, payment_link_id], [null, null, 1, null])
  assert.equal(Date.parse(request.expires_at) - Date.parse(request.created_at), 30 * day_ms)
  assert.equal(Date.parse(request.expires_at) - Date.parse(reminder_at), 3 * day_ms)
  const path = `/v1/payment_requests/${request.id}`
  assert.deepEqual((await florin.call('GET', path, { token: shop.token })).body, request)
})

test('a due date ends with its day in the time zone of the account', async () => {
  const shop = await fixtures.shop()
  const settings = { settings: { timezone: 'Asia/Tokyo' } }
  await florin.call('PATCH', '/v1/account', { token: shop.token, body: settings })
  const date = new Date(Date.now() + 5 * day_ms).toISOString().slice(0, 10)
  const { expires_at } = await created(shop, { expires_at: date })
  assert.equal(expires_at, new Date(`${date}T23:59:59+09:00`).toISOString())
  const at = new Date(Date.now() + 5 * day_ms).toISOString()
  assert.equal((await created(shop, { expires_at: at })).expires_at, at)
})

test('a due date is an hour to 31 days ahead', async () => {
  const shop = await fixtures.shop()
  const after = (ms: number) => ({ expires_at: new Date(Date.now() + ms).toISOString() })
  const message = await refusal(shop, after(hour_ms / 2))
  assert.match(message, /^"expires_at" must be from .* an hour to 31 days ahead; got "/)
  await refusal(shop, after(32 * day_ms))
  await refusal(shop, { expires_at: '2020-01-01' })
  assert.match(await refusal(shop, { expires_at: 'tomorrow' }), /expires_at/)
})

test('the customer is reminded on the chosen day, or never', async () => {
  const shop = await fixtures.shop()
  const soon = { expires_at: new Date(Date.now() + 8 * day_ms).toISOString() }
  const chosen = await created(shop, { ...soon, reminder_days: 5 })
  const never = await created(shop, { ...soon, reminder_days: 0 })
  const short = await created(shop, {
    expires_at: new Date(Date.now() + 2 * day_ms).toISOString(),
  })
  assert.deepEqual([never.reminder_at, short.reminder_at], [null, null])
  assert.match(
    await refusal(shop, { ...soon, reminder_days: 9 }),
    /^"reminder_days" must be fewer days than the request is open; got 9/,
  )
  await refusal(shop, { reminder_days: 30 })
  await advance(3 * day_ms + hour_ms)
  const reminded = ['payment_reminder', 'payment_request']
  assert.deepEqual(kindsOf(await emailStates(shop, chosen.id)), reminded)
  await advance(5 * day_ms)
  assert.deepEqual(kindsOf(await emailStates(shop, never.id)), ['payment_request'])
  assert.deepEqual(kindsOf(await emailStates(shop, short.id)), ['payment_request'])
  for (const { id } of [chosen, never, short]) {
    assert.equal((await fixtures.getPayment(shop, id)).body.status, 'canceled')
  }
})

test('a request that is not emailed sends nothing until it is sent', async () => {
  const shop = await fixtures.shop()
  const { id, payment_url, sends, reminder_at } = await created(shop, { email: false })
  assert.deepEqual([sends, reminder_at], [0, null])
  assert.deepEqual(await emailStates(shop, id), [])
  assert.equal((await new Customer(florin.url, payment_url).open()).state, 'form')
  assert.equal((await fixtures.resend(shop, id)).status, 200)
  const [email, ...others] = await emailStates(shop, id)
  assert.deepEqual(others, [])
  assert.deepEqual(Object.keys(email!), ['kind', 'state', 'created_at', 'sent_at'])
  assert.deepEqual([email!.kind, email!.state], ['payment_request', 'stored'])
})

test('the message is on the page and in the email, and cannot change their text', async () => {
  const shop = await fixtures.shop()
  const message = 'Thanks <b>Ann</b>!\nSee \u202eyou\u202c > soon'
  const { id, payment_url } = await created(shop, { message })
  const page = await new Customer(florin.url, payment_url).open()
  assert.ok(page.text.includes('Thanks &lt;b&gt;Ann&lt;/b&gt;!\nSee you &gt; soon'), page.text)
  const token = fixtures.admin.token
  const listed = await florin.call('GET', `/v1/emails?payment=${id}`, { token })
  const email = await florin.call('GET', `/v1/emails/${listed.body.data[0].id}`, { token })
  assert.ok(email.body.text.includes('Message:\n> Thanks <b>Ann</b>!\n> See you > soon'))
  assert.ok(email.body.html.includes('Thanks &lt;b&gt;Ann&lt;/b&gt;!<br>See you &gt; soon'))
  assert.equal((await created(shop, { message: ' \n' })).message, null)
  await refusal(shop, { message: 'a\u0000b' })
  await refusal(shop, { message: 'x'.repeat(501) })
  assert.equal((await created(shop, { message: 'x'.repeat(500) })).message.length, 500)
})

test('an Idempotency-Key replays the response with the options', async () => {
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': `options-${shop.account_id}` }
  const first = await create(shop, { message: 'One' }, headers)
  const second = await create(shop, { message: 'One' }, headers)
  assert.equal(second.text, first.text)
  assert.notEqual((await create(shop, { message: 'Two' }, headers)).status, 201)
})

test('expiring requests are those whose due date is near, whenever they were created', async () => {
  const shop = await fixtures.shop()
  const { created_at } = await created(shop, {})
  const near = new Date(Date.parse(created_at) + 2 * day_ms).toISOString()
  const { id } = await created(shop, { expires_at: near })
  const report = await florin.call('GET', '/v1/account/attention', { token: shop.token })
  const { ids, list } = report.body.payments_expiring
  assert.deepEqual(ids, [id])
  const listed = await florin.call('GET', list, { token: shop.token })
  assert.deepEqual(
    listed.body.data.map((one: { id: string }) => one.id),
    [id],
  )
})
