// The request log over HTTP: which requests are logged, for which account, and what is redacted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin()
const { people } = florin

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into.
type Entry = any

async function read(token: string, query = '', headers = {}): Promise<Entry[]> {
  const response = await florin.call('GET', `/v1/request_logs${query}`, { token, headers })
  assert.equal(response.status, 200, response.text)
  return response.body.data
}

/** Waits until there are at least this many entries. */
async function readUntil(token: string, count: number, query = '', headers = {}): Promise<Entry[]> {
  for (let attempts_left = 300; ; attempts_left--) {
    const entries = await read(token, query, headers)
    if (entries.length >= count || attempts_left === 0) return entries
    await sleep(100)
  }
}

async function pay(owner: Owner, more = {}) {
  const body = {
    account_id: owner.account_id,
    amount: 7500,
    currency: 'USD',
    type: 'payment',
    ...more,
  }
  return florin.call('POST', '/v1/transactions', {
    token: owner.token,
    body,
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
}

test('an entry has the request, the response and the caller', async () => {
  const owner = await people.owner()
  const made = await pay(owner, { reference: 'Invoice 1' })
  await florin.call('GET', '/v1/transactions?limit=0', { token: owner.token })
  const [rejected, created] = await readUntil(owner.token, 2)
  const { created_at, duration_ms, request_body, response_body, ...rest } = created
  assert.deepEqual(rest, {
    id: made.headers.get('request-id'),
    account_id: owner.account_id,
    method: 'POST',
    path: '/v1/transactions',
    status: 201,
    caller: { kind: 'user', id: owner.id },
    idempotency_key: true,
    error: null,
  })
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 10_000)
  assert.ok(duration_ms >= 0 && duration_ms < 10_000)
  assert.equal(JSON.parse(request_body).reference, 'Invoice 1')
  assert.deepEqual(JSON.parse(response_body), made.body)
  assert.equal(rejected.path, '/v1/transactions?limit=0')
  assert.deepEqual([rejected.status, rejected.error], [400, 'invalid_request'])
  assert.equal(rejected.idempotency_key, false)
  assert.equal(rejected.request_body, null)
  assert.match(rejected.response_body, /limit/)
})

test('an API key is identified by its id, also if it lacks a scope', async () => {
  const owner = await people.owner()
  const made = await florin.call('POST', '/v1/api_keys', {
    token: owner.token,
    body: { name: 'Till', scopes: ['balance:read'] },
  })
  await florin.call('GET', '/v1/account/balance', { token: made.body.key })
  await florin.call('GET', '/v1/events', { token: made.body.key })
  const [events, balance, key] = await readUntil(owner.token, 3)
  assert.deepEqual(balance.caller, { kind: 'api_key', id: made.body.id })
  assert.deepEqual(events.caller, balance.caller)
  assert.deepEqual([events.status, events.error], [401, 'unauthorized'])
  assert.equal(key.response_body, null, 'a response with a secret is not logged')
})

test('does not log secrets of requests and responses', async () => {
  const owner = await people.owner()
  const body = { email: 'm@example.com', password: 'an unused password', name: 'M' }
  await florin.call('POST', '/v1/users', { token: owner.token, body })
  // The transaction stores metadata unchanged; only the log redacts it.
  const token = `fat_${'example'.repeat(6)}0`
  const password = `pw-${'example'.repeat(3)}`
  const metadata = { card: '4242424242424242', note: token, email: body.email, password }
  await pay(owner, { metadata })
  const webhook = { url: 'http://127.0.0.1:9/', events: ['*'] }
  await florin.call('POST', '/v1/webhook_endpoints', { token: owner.token, body: webhook })
  const entries = await readUntil(owner.token, 3)
  const text = JSON.stringify(entries)
  assert.equal(entries.length, 3)
  for (const secret of [body.password, password, '4242424242424242', token, 'whsec_']) {
    assert.ok(!text.includes(secret), secret)
  }
  assert.ok(text.includes('m@example.com'))
})

test('does not log a body over 16 KiB, also if it is sent in chunks', async () => {
  const owner = await people.owner()
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' }
  const text = JSON.stringify({ reference: 'x'.repeat(20_000) })
  const body = new Blob([text]).stream()
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const response = await fetch(`${florin.url}/v1/transactions`, init)
  assert.equal(response.status, 400)
  const [entry] = await readUntil(owner.token, 1)
  assert.deepEqual([entry.status, entry.request_body], [400, null])
})

test('logs a request of an admin for the account in the header', async () => {
  const owner = await people.owner()
  const admin = await people.admin()
  const headers = { 'florin-account': owner.account_id }
  await florin.call('GET', '/v1/account', { token: admin.token, headers })
  await florin.call('GET', '/v1/accounts', { token: admin.token })
  const entries = await readUntil(admin.token, 1, '', headers)
  assert.deepEqual(
    entries.map(({ path, caller }) => [path, caller.id]),
    [['/v1/account', admin.id]],
  )
  assert.deepEqual(await read(owner.token), entries)
})

test('filters by status class, method and path prefix', async () => {
  const owner = await people.owner()
  await pay(owner)
  await florin.call('GET', '/v1/account', { token: owner.token })
  await florin.call('GET', '/v1/account/balance', { token: owner.token })
  await florin.call('GET', '/v1/users', { token: owner.token })
  await readUntil(owner.token, 4)
  const paths = async (query: string) =>
    (await read(owner.token, query)).map(({ path }) => path.slice('/v1/'.length))
  assert.deepEqual(await paths('?status=4xx'), ['users'])
  assert.deepEqual(await paths('?method=POST'), ['transactions'])
  assert.deepEqual(await paths('?path=/v1/account'), ['account/balance', 'account'])
  assert.deepEqual(await paths('?path=/v1/acc%25'), [])
  assert.deepEqual(await paths('?path=/v1/account&status=5xx'), [])
  for (const query of ['?status=404', '?method=get', '?after=x', '?starting_after=req_x']) {
    const response = await florin.call('GET', `/v1/request_logs${query}`, { token: owner.token })
    assert.equal(response.status, 400, response.text)
  }
})

test('paginates in both directions, and after follows a request without gaps', async () => {
  const owner = await people.owner()
  for (let n = 0; n < 5; n++) {
    await florin.call('GET', `/v1/account?n=${n}`, { token: owner.token })
    // Some entries are written in one batch, some separately.
    if (n % 2 === 0) await sleep(600)
  }
  const all = await readUntil(owner.token, 5)
  const numbers = (entries: Entry[]) => entries.map(({ path }) => Number(path.at(-1)))
  assert.deepEqual(numbers(all), [4, 3, 2, 1, 0])
  const id = (n: number) => all[4 - n].id
  assert.deepEqual(numbers(await read(owner.token, `?limit=2&starting_after=${id(3)}`)), [2, 1])
  await sleep(1_100)
  assert.deepEqual(numbers(await read(owner.token, `?limit=2&ending_before=${id(1)}`)), [3, 2])
  assert.deepEqual(numbers(await read(owner.token, `?limit=2&after=${id(1)}`)), [2, 3])
  assert.deepEqual(numbers(await read(owner.token, `?after=${id(3)}`)), [4])
  const both = await florin.call('GET', `/v1/request_logs?after=${id(1)}&ending_before=${id(1)}`, {
    token: owner.token,
  })
  assert.equal(both.status, 400)
})

test('does not log bodies in live mode', async () => {
  const live = await florin.startSecondServer({
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://user@127.0.0.1/none',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  })
  const owner = await people.owner()
  const body = { account_id: owner.account_id, amount: 1, currency: 'USD', type: 'payment' }
  await live.call('POST', '/v1/transactions', { token: owner.token, body })
  const [entry] = await readUntil(owner.token, 1)
  assert.deepEqual([entry.status, entry.request_body, entry.response_body], [201, null, null])
})
