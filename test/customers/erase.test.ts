// Export and erasure of a customer's personal data.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSubscriptionFixtures } from '../subscriptions/subscription-fixtures.ts'
import type { CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)
const { call } = florin
const { pool } = florin.db

async function customerOf(shop: Shop, email: string) {
  const path = `/v1/customers?email=${encodeURIComponent(email)}`
  const { body } = await call('GET', path, { token: shop.token })
  return body.data[0]
}

const erase = (shop: Shop, id: string, confirm_email: string, options: CallOptions = {}) =>
  call('POST', `/v1/customers/${id}/erase`, {
    token: shop.token,
    body: { confirm_email },
    ...options,
  })

/** Lines of a full dump of the database that contain a text, in any case or encoding. */
async function dumpLines(text: string): Promise<string[]> {
  const tables = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const forms = [text, encodeURIComponent(text), Buffer.from(text).toString('hex')]
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`select to_jsonb(it)::text as line from ${name} as it`)
    for (const { line } of rows) {
      const lower = line.toLowerCase()
      if (forms.some((form) => lower.includes(form.toLowerCase()))) found.push(`${name} ${line}`)
    }
  }
  return found
}

/** Entries are written every half second, in the order of the requests. */
function untilLogged(shop: Shop, path: string): Promise<void> {
  return until(async () => {
    const text = 'select 1 from request_logs where account_id = $1 and starts_with(path, $2)'
    return (await pool.query(text, [shop.uuid, path])).rows.length > 0
  })
}

/** Leaves the address in every table that stores one. */
async function customerWithTraces(shop: Shop, email: string): Promise<string> {
  const { token, account_id } = shop
  const metadata = { contact: email, note: `for ${email.toUpperCase()}` }
  const message = 'Dear Mr. Eraseme'
  const body = {
    account_id,
    amount: 500,
    message,
    currency: 'USD',
    customer_email: email,
    metadata,
  }
  const created = await call('POST', '/v1/payment_requests', {
    token,
    body: { ...body, reference: `Order of ${email}` },
    headers: { 'idempotency-key': `create ${email}` },
  })
  assert.equal(created.status, 201, created.text)
  await fixtures.settlePayment(created.body.id)
  const { body: paid } = await fixtures.getPayment(shop, created.body.id)
  await call('GET', `/v1/payments/${created.body.id}/receipt`, { token })
  await fixtures.settle((await fixtures.refund(shop, 100, paid.transaction_id)).body.id)
  const plan = { customer_email: email.toUpperCase(), reference: email }
  const subscription = await fixtures.createSubscription(shop, plan)
  await fixtures.cancelSubscription(shop, subscription)
  const customer = await customerOf(shop, email)
  for (const { id, status } of (
    await call('GET', `/v1/customers/${customer.id}/payments`, { token })
  ).body.data) {
    if (status === 'pending') await fixtures.cancelPayment(shop, id)
  }
  await call('GET', `/v1/search?q=${encodeURIComponent(email)}`, { token })
  await untilLogged(shop, '/v1/search')
  const echo = Buffer.from(JSON.stringify({ got: email }))
  const truncated = Buffer.from(`{"got":"${email.slice(0, -3)}`)
  await pool.query(
    `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
       status, attempts, response_body)
     values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'x', '{}', 'failed', 2, $3)`,
    [shop.uuid, shop.uuid, echo],
  )
  await pool.query(
    `insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms,
       response_body)
     values ($1, $2, now(), 'https://example.com', 1, $3)`,
    [shop.uuid, shop.uuid, truncated],
  )
  await pool.query(
    `insert into payment_returns (account_id, payment_id, return_url)
     select account_id, id, 'https://example.com/?c=' || $2 from payment_requests
     where account_id = $1 limit 1`,
    [shop.uuid, encodeURIComponent(email)],
  )
  return customer.id
}

test('after erasing, a full dump does not contain the address', async () => {
  const shop = await fixtures.shop()
  const email = 'erase.me+x@example.com'
  const id = await customerWithTraces(shop, email)
  // Longer addresses that contain it are of other people.
  const others = ['no-erase.me+x@example.com', 'erase.me+x@example.com.au']
  for (const customer_email of others) await fixtures.request(shop, { customer_email })
  const isOther = (line: string) => others.some((other) => line.includes(other))
  const traces = (await dumpLines(email)).filter((line) => !isOther(line))
  const tables = new Set(traces.map((line) => line.split(' ')[0]!.replace(/_(succ|canc).*/, '')))
  assert.deepEqual(
    [...tables].sort(),
    [
      'public.customers',
      'public.documents',
      'public.emails',
      'public.events',
      'public.idempotency_keys',
      'public.payment_requests',
      'public.payment_returns',
      'public.request_logs',
      'public.subscriptions',
      'public.transactions',
      'public.webhook_deliveries',
    ],
    'the test must leave the address everywhere',
  )
  const before = await pool.query('select * from postings where account_id = $1', [shop.uuid])
  const response = await erase(shop, id, email.toUpperCase())
  assert.equal(response.status, 200, response.text)
  assert.match(response.body.email, /^erased-[0-9a-f]{32}@erased\.invalid$/)
  assert.deepEqual([response.body.id, response.body.total_paid], [id, 500])
  const left = (await dumpLines('erase.me+x@')).filter((line) => !isOther(line))
  assert.deepEqual(left, [])
  assert.deepEqual(await dumpLines('Mr. Eraseme'), [])
  assert.equal((await dumpLines(others[0]!)).length > 0, true)
  const after = await pool.query('select * from postings where account_id = $1', [shop.uuid])
  assert.deepEqual(after.rows, before.rows)
  const { token } = fixtures.admin
  const { body: audit } = await call('GET', `/v1/audit_log?object=${id}`, { token })
  assert.equal(audit.data[0].action, 'customer.erased')
})

test('emails to another person whose address is the beginning of it stay', async () => {
  const shop = await fixtures.shop()
  const [erased, other] = ['jo@example.com.au', 'jo@example.com']
  await fixtures.cancelPayment(shop, await fixtures.request(shop, { customer_email: erased }))
  await fixtures.request(shop, { customer_email: other })
  const text = 'select id, recipient, content from emails where account_id = $1 and recipient = $2'
  const before = await pool.query(text, [shop.uuid, other])
  assert.equal(before.rows.length, 1)
  const { id } = await customerOf(shop, erased)
  const response = await erase(shop, id, erased)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual((await pool.query(text, [shop.uuid, other])).rows, before.rows)
  assert.deepEqual((await pool.query(text, [shop.uuid, erased])).rows, [])
})

test('erases an address of the maximum length', async () => {
  const shop = await fixtures.shop()
  const domain = ['a', 'b', 'c', 'd'].map((sign) => sign.repeat(62)).join('.')
  const customer_email = `jo@${domain}`
  await fixtures.cancelPayment(shop, await fixtures.request(shop, { customer_email }))
  const { id } = await customerOf(shop, customer_email)
  await untilLogged(shop, '/v1/customers')
  const response = await erase(shop, id, customer_email)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(await dumpLines(customer_email), [])
})

test('the same person erased twice is one customer, and events stay readable', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'again@example.com'
  const cancel = async () =>
    fixtures.cancelPayment(shop, await fixtures.request(shop, { customer_email }))
  await cancel()
  const first = await customerOf(shop, customer_email)
  const erased = await erase(shop, first.id, customer_email)
  assert.equal(erased.status, 200, erased.text)
  await cancel()
  const second = await customerOf(shop, customer_email)
  assert.notEqual(second.id, first.id)
  const again = await erase(shop, second.id, customer_email)
  assert.deepEqual([again.body.id, again.body.email], [first.id, erased.body.email])
  assert.equal(again.body.requests, 2)
  assert.equal((await erase(shop, first.id, erased.body.email)).status, 200)
  const events = await call('GET', '/v1/events?limit=100', { token: shop.token })
  for (const { type, data } of events.body.data) {
    if (type.startsWith('payment.')) assert.equal(data.customer_email, erased.body.email)
  }
})

test('erasures of one account take turns', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'turns@example.com'
  await fixtures.cancelPayment(shop, await fixtures.request(shop, { customer_email }))
  const { id } = await customerOf(shop, customer_email)
  const responses = await Promise.all([1, 2, 3].map(() => erase(shop, id, customer_email)))
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 400, 400], 'afterwards the customer has another email')
})

test('returns 409 while a request or a subscription is open, and changes nothing', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'busy@example.com'
  const pending = await fixtures.request(shop, { customer_email })
  const { id } = await customerOf(shop, customer_email)
  const refused = await erase(shop, id, customer_email)
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /has 1 pending payment requests and 0 subscriptions/)
  await fixtures.cancelPayment(shop, pending)
  const subscription = await fixtures.createSubscription(shop, { customer_email })
  await fixtures.patchSubscription(shop, subscription, { status: 'paused' })
  assert.equal((await erase(shop, id, customer_email)).status, 409)
  const unconfirmed = await erase(shop, id, 'other@example.com')
  assert.equal(unconfirmed.status, 400)
  assert.match(unconfirmed.body.message, /^"confirm_email" must be the email of this customer/)
  assert.equal((await customerOf(shop, customer_email)).email, customer_email)
})

test('exports everything that is stored about a customer', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'export@example.com'
  await fixtures.settlePayment(await fixtures.request(shop, { customer_email, amount: 900 }))
  await fixtures.createSubscription(shop, { customer_email })
  await fixtures.request(shop, { customer_email: 'other@example.com' })
  const { id } = await customerOf(shop, customer_email)
  const { status, body } = await call('GET', `/v1/customers/${id}/export`, { token: shop.token })
  assert.equal(status, 200)
  assert.equal(body.customer.total_paid, 900)
  assert.equal(body.payments.length, 2)
  assert.equal(body.subscriptions.length, 1)
  assert.deepEqual(body.emails.map(({ kind }: { kind: string }) => kind).sort(), [
    'payment_receipt',
    'payment_request',
    'payment_request',
  ])
  assert.deepEqual([body.attempts, body.disputes, body.is_complete], [[], [], true])
  assert.equal(JSON.stringify(body).includes('other@example.com'), false)
})
