// GET /v1/list_counts/…: a count equals the length of the list with the same filters.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../../support/florin.ts'
import { recordSecret } from '../../support/secrets.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'

const { call, people, db } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const admin = await people.admin()
const owner = await people.owner()
const stranger = await people.owner()
const { token, account_id } = owner

async function make(path: string, body: object): Promise<string> {
  const created = await call('POST', path, { token, body })
  assert.ok(created.status < 300, created.text)
  if (created.body.secret) recordSecret(created.body.secret)
  return created.body.id
}

const money = { amount: 5_000, currency: 'USD' }
const new_payment = { account_id, ...money, customer_email: 'ann@example.com' }
const paid: string[] = []
for (const type of ['payment', 'payment', 'credit']) {
  paid.push(await make('/v1/transactions', { account_id, ...money, type }))
}
for (const [at, id] of paid.entries()) {
  const body = { outcome: at === 1 ? 'failed' : 'succeeded' }
  await call('POST', `/v1/transactions/${id}/settle`, { token: admin.token, body })
}
await make('/v1/transactions', { account_id, ...money, type: 'refund', reference: paid[0] })
const request = await make('/v1/payments', new_payment)
await make('/v1/payments', new_payment)
await call('POST', `/v1/payments/${request}/cancel`, { token })
const plan = { customer_email: 'ann@example.com', ...money, interval: 'month' }
const subscription = await make('/v1/subscriptions', plan)
const ended = await make('/v1/subscriptions', plan)
await call('DELETE', `/v1/subscriptions/${ended}`, { token })
const endpoint = await make('/v1/webhook_endpoints', { url: 'https://example.com/', events: ['*'] })
await make(`/v1/webhook_endpoints/${endpoint}/test`, {})

const filters = {
  transactions: [
    '',
    'status=succeeded',
    'status=canceled',
    'type=credit',
    `refund_of=${paid[0]}`,
    'date_from=2100-01-01',
    'date_to=2100-01-01&status=failed&type=payment',
  ],
  payments: ['', 'status=canceled', `subscription=${subscription}`, 'date_to=2020-01-01'],
  subscriptions: ['', 'status=active', 'status=paused'],
  webhook_deliveries: [
    '',
    'status=failed,retrying',
    'status=pending',
    `endpoint_id=${endpoint}`,
    'status=canceled',
  ],
  events: ['', 'type=payment.*', 'type=transaction.failed', 'type=api_key.revoked'],
}

for (const [list, queries] of Object.entries(filters)) {
  test(`the count of ${list} equals the length of the list`, async () => {
    for (const query of queries) {
      const counted = await call('GET', `/v1/list_counts/${list}?${query}`, { token })
      const listed = await call('GET', `/v1/${list}?limit=100&${query}`, { token })
      assert.equal(listed.body.has_more, false)
      assert.deepEqual(counted.body, { count: listed.body.data.length, is_exact: true }, query)
    }
  })
}

test('the count for a foreign subscription, payment or endpoint is zero', async () => {
  for (const [list, query] of [
    ['payments', `subscription=${subscription}`],
    ['transactions', `refund_of=${paid[0]}`],
    ['webhook_deliveries', `endpoint_id=${endpoint}`],
  ]) {
    const path = `/v1/list_counts/${list}?${query}`
    const { body } = await call('GET', path, { token: stranger.token })
    assert.deepEqual(body, { count: 0, is_exact: true }, path)
  }
})

test('a malformed filter is rejected', async () => {
  for (const path of [
    'transactions?status=open',
    'transactions?refund_of=x',
    'payments?subscription=x',
    'subscriptions?status=x',
    'webhook_deliveries?endpoint_id=x',
    'events?type=x.y.z',
  ]) {
    const { status, body } = await call('GET', `/v1/list_counts/${path}`, { token })
    assert.deepEqual([status, body.error], [400, 'invalid_request'], path)
  }
})

test('counting stops at 10,000 and reports that it is not exact', async () => {
  const { token, account_id } = await people.owner()
  await call('POST', '/v1/transactions', { token, body: { account_id, ...money, type: 'payment' } })
  const copies = async (count: number) =>
    queryWithoutTimeout(
      db.pool,
      `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
       select account_id, uuidv7(), 'canceled', amount, currency, type, updated_at
       from transactions, generate_series(1, $1)
       where account_id = (select account_id from transactions order by id desc limit 1)
         and status = 'pending'`,
      [count],
    )
  const counted = async () => (await call('GET', '/v1/list_counts/transactions', { token })).body
  await copies(9_999)
  assert.deepEqual(await counted(), { count: 10_000, is_exact: true })
  await copies(1)
  assert.deepEqual(await counted(), { count: 10_000, is_exact: false })
  await db.pool.query(`delete from transactions where status = 'canceled'`)
})
