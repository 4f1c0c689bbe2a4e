// The demo account of `florin seed`: a story with every kind of object in every state.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demo_email, writeDemoAccount } from '../../src/cli/serve/demo/demo-account.ts'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import { newPassword } from '../support/secrets.ts'

const florin = await startFlorin()
// As on a sandbox with a mail server.
await enableEmailDelivery(florin.db)
const password = newPassword()
const seed = 'a story'
const created = await writeDemoAccount(florin.db, florin.config, { password, seed })
const login = await florin.call('POST', '/v1/auth/login', { body: { email: demo_email, password } })
const token = login.body.access_token

type Item = Record<string, unknown>

/** All entries of a list. */
async function list(path: string): Promise<Item[]> {
  const { body, status } = await florin.call('GET', path, { token })
  assert.equal(status, 200, path)
  const last = body.data.at(-1)
  if (!body.has_more) return body.data
  const cursor = path.replace(/&starting_after=.*/, '')
  return [...body.data, ...(await list(`${cursor}&starting_after=${last.id}`))]
}

const valuesOf = (rows: Item[], name: string) => [...new Set(rows.map((row) => row[name]))].sort()
const daysAgo = (row: Item) => (Date.now() - Date.parse(String(row.created_at))) / 86_400_000

test('payment requests are in every state, over more than 60 days', async () => {
  assert.equal(created, true)
  const payments = await list('/v1/payments?limit=100')
  assert.deepEqual(valuesOf(payments, 'status'), ['canceled', 'failed', 'pending', 'succeeded'])
  assert.ok(Math.max(...payments.map(daysAgo)) > 60 && payments.length > 100)
  const canceled = payments.filter(({ status }) => status === 'canceled')
  const expired = canceled.filter(({ updated_at, expires_at }) => updated_at! >= expires_at!)
  assert.ok(expired.length > 0 && expired.length < canceled.length)
  for (const { status, expires_at } of payments) {
    assert.ok(status !== 'pending' || Date.parse(String(expires_at)) > Date.now())
  }
  const refunds = payments.filter(({ refunded_amount }) => Number(refunded_amount) > 0)
  const full = refunds.filter(({ amount, refunded_amount }) => amount === refunded_amount)
  assert.ok(full.length > 0 && full.length < refunds.length)
})

test('disputes, subscriptions, keys and members are in several states', async () => {
  assert.deepEqual(valuesOf(await list('/v1/disputes?limit=100'), 'status'), [
    'lost',
    'needs_response',
    'won',
  ])
  const subscriptions = await list('/v1/subscriptions?limit=100')
  assert.deepEqual(valuesOf(subscriptions, 'status'), ['active', 'canceled', 'paused'])
  for (const { id } of subscriptions) {
    const periods = await list(`/v1/payments?subscription=${id}&limit=100`)
    assert.deepEqual(valuesOf(periods, 'status'), ['succeeded'], 'subscribers pay')
  }
  const keys = await list('/v1/api_keys?limit=100')
  assert.equal(keys.filter(({ revoked_at }) => revoked_at !== null).length, 1)
  assert.equal(keys.length, 3)
  assert.equal((await list('/v1/account/users?limit=100')).length, 3)
  const origins = await florin.call('GET', '/v1/account/return_origins', { token })
  assert.equal(origins.body.data.length, 1)
  // Only the login of this test: the one of the story has ended.
  assert.equal((await list('/v1/auth/sessions?limit=100')).length, 1)
})

test('the business has a brand, payment links, customers and an invitation', async () => {
  const branding = await florin.call('GET', '/v1/account/branding', { token })
  assert.match(branding.body.accent_color, /^#/)
  assert.equal((await list('/v1/payment_links?limit=100')).length, 2)
  assert.ok((await list('/v1/customers?limit=100')).length >= 10)
  assert.equal((await list('/v1/account/invitations?limit=100')).length, 1)
})

test('one webhook endpoint works, and one fails', async () => {
  const endpoints = await list('/v1/webhook_endpoints?limit=100')
  const failing = endpoints.filter(({ failing_since }) => failing_since !== null)
  assert.deepEqual([endpoints.length, failing.length], [2, 1])
  for (const delivery of await list('/v1/webhook_deliveries?limit=100')) {
    const is_failing = delivery.endpoint_id === failing[0]!.id
    assert.equal(delivery.status, is_failing ? 'retrying' : 'delivered')
    assert.deepEqual([delivery.attempts, delivery.response_status], [1, is_failing ? 500 : 200])
  }
})

// The login of this test sends an email, too.
test('emails are stored and never sent, and delivery stays enabled', async () => {
  const { rows } = await florin.db.pool.query(
    `select kind, count(*)::int, count(*) filter (where state <> 'stored')::int as others
     from emails where kind <> 'new_login' group by kind order by kind`,
  )
  assert.ok(rows.length >= 4, JSON.stringify(rows))
  for (const { kind, others } of rows) assert.equal(others, 0, kind)
  const delivery = await florin.db.pool.query('select enabled from email_delivery')
  assert.deepEqual(delivery.rows, [{ enabled: true }])
})

test('a second run changes nothing', async () => {
  const again = { password: newPassword(), seed: 'another' }
  const before = (await list('/v1/events?limit=100')).length
  assert.equal(await writeDemoAccount(florin.db, florin.config, again), false)
  assert.equal((await list('/v1/events?limit=100')).length, before)
})
