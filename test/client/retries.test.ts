import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, FlorinError } from '../../client/src/florin.ts'
import { isTransient } from '../../client/src/outcome.ts'
import { backoff, waitBeforeRetry } from '../../client/src/retry.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { until } from '../support/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

const server = await startFlorin()
const proxy = await startFaultProxy(server.url)
const owner = await server.people.owner()
const florin = new Florin({ base_url: proxy.url, tokens: { access_token: owner.token } })

const payment = {
  account_id: owner.account_id,
  amount: 7500,
  currency: 'USD',
  type: 'payment',
} as const

const unavailable = {
  status: 503,
  headers: { 'content-type': 'application/json', 'request-id': 'req_x', 'retry-after': '0' },
  body: '{"error":"unavailable","message":"Try again shortly."}',
}

async function countOf(reference: string): Promise<number> {
  const direct = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
  const all = await Array.fromAsync(direct.transactions.list({ limit: 100 }))
  return all.filter((one) => one.reference === reference).length
}

const failsWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof FlorinError, String(error))
  assert.equal(error.code, code)
  return true
}

test('retries a change after a lost response with the same key; it is applied once', async () => {
  proxy.lose = 2
  const made = await florin.transactions.create({ ...payment, reference: 'lost-twice' })
  assert.equal(made.reference, 'lost-twice')
  const keys = proxy.keysSeen()
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  assert.equal(await countOf('lost-twice'), 1)
})

test('every call gets a new key, and a given key is sent unchanged', async () => {
  await florin.transactions.create({ ...payment, reference: 'own-key' })
  await florin.transactions.create({ ...payment, reference: 'own-key' })
  const [first, second] = proxy.keysSeen()
  assert.notEqual(first, second)
  const options = { idempotency_key: 'order-114' }
  const one = await florin.transactions.create({ ...payment, reference: 'order' }, options)
  const two = await florin.transactions.create({ ...payment, reference: 'order' }, options)
  assert.equal(one.id, two.id)
  assert.equal(proxy.keysSeen().at(-1), 'order-114')
})

test('retries a refused connection, 503 and 429, for changes and reads', async () => {
  proxy.refuse = 1
  assert.equal((await florin.account.get()).id, owner.account_id)
  proxy.canned.push(unavailable, { ...unavailable, status: 429 })
  const made = await florin.payments.create({
    account_id: owner.account_id,
    amount: 100,
    currency: 'USD',
    customer_email: 'ann@example.com',
  })
  assert.equal(made.status, 'pending')
  assert.equal(proxy.requests.length, 5)
})

test('retries on 409 while the first request with the key is in progress', async () => {
  const conflict = '{"error":"idempotency_conflict","message":"Still in progress."}'
  proxy.canned.push({ status: 409, body: conflict })
  const made = await florin.transactions.create({ ...payment, reference: 'in-progress' })
  assert.equal(made.reference, 'in-progress')
  assert.equal(new Set(proxy.keysSeen()).size, 1)
})

test('does not retry a key that was used for another request', async () => {
  const options = { idempotency_key: 'used-elsewhere' }
  await florin.transactions.create({ ...payment, amount: 1 }, options)
  proxy.requests.length = 0
  const again = florin.transactions.create({ ...payment, amount: 2 }, options)
  await assert.rejects(again, failsWith('idempotency_conflict'))
  assert.equal(proxy.requests.length, 1)
})

test('does not retry a rejected request', async () => {
  const refused = florin.transactions.create({ ...payment, currency: 'EUR' })
  await assert.rejects(refused, failsWith('currency_mismatch'))
  assert.equal(proxy.requests.length, 1)
})

test('does not retry a change without a key', async () => {
  const unauthenticated = new Florin({ base_url: proxy.url })
  proxy.refuse = 1
  const log_in = unauthenticated.sessions.logIn({ email: owner.email, password: owner.password })
  await assert.rejects(log_in, failsWith('connection_failed'))
  proxy.canned.push(unavailable)
  const who = { ...credentials('alone'), name: 'Alone' }
  await assert.rejects(unauthenticated.users.create(who), failsWith('unavailable'))
  assert.equal(proxy.requests.length, 2)
  assert.deepEqual(proxy.keysSeen(), [], 'no key without an authenticated caller')
})

test('stops after retries_max with the last error', async () => {
  proxy.canned.push(unavailable, unavailable, unavailable, unavailable)
  const call = florin.account.get({ retries_max: 1 })
  await assert.rejects(call, (error: FlorinError) => {
    assert.deepEqual([error.code, error.status, error.request_id], ['unavailable', 503, 'req_x'])
    return true
  })
  assert.equal(proxy.canned.splice(0).length, 2)
})

test('does not retry health checks', async () => {
  proxy.canned.push(unavailable)
  await assert.rejects(florin.health.isReady(), failsWith('unavailable'))
  assert.deepEqual(await florin.health.isReady(), { status: 'ok' })
})

test('a timeout is an error, or is retried', async () => {
  proxy.hang = 1
  const once = florin.account.get({ timeout_ms: 100, retries_max: 0 })
  await assert.rejects(once, failsWith('timed_out'))
  proxy.hang = 1
  assert.equal((await florin.account.get({ timeout_ms: 2_000 })).id, owner.account_id)
})

test('a signal aborts a call in progress, between attempts and before it starts', async () => {
  const reason = new Error('The caller left.')
  proxy.hang = 1
  const on_wire = new AbortController()
  const hanging = florin.account.get({ signal: on_wire.signal })
  await until(() => proxy.requests.length === 1)
  on_wire.abort(reason)
  await assert.rejects(hanging, reason)
  proxy.canned.push({ ...unavailable, headers: { 'retry-after': '20' } })
  const between = new AbortController()
  const waiting = florin.account.get({ signal: between.signal })
  await until(() => proxy.requests.length === 2)
  setTimeout(() => between.abort(reason), 150)
  await assert.rejects(waiting, reason)
  const count = proxy.requests.length
  await assert.rejects(florin.account.get({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(proxy.requests.length, count)
})

test('a response that is not from Florin is unexpected_response', async () => {
  proxy.canned.push({ status: 404, body: '<h1>Not here</h1>' })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
  proxy.canned.push({ status: 200, body: '<h1>Welcome</h1>' })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
  proxy.canned.push({ status: 302, headers: { location: 'http://127.0.0.1:9/' } })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
})

test('backs off exponentially with jitter, and honors a short Retry-After', () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((attempts) => backoff(attempts, 1)),
    [500, 1000, 2000, 8000],
  )
  assert.equal(backoff(1, 0), 250)
  const error = (code: 'unavailable' | 'rate_limited', retry_after_s?: number) =>
    new FlorinError(code, 'Later.', { status: code === 'unavailable' ? 503 : 429, retry_after_s })
  assert.equal(waitBeforeRetry(error('unavailable', 2), 1, 1), 2500)
  assert.equal(waitBeforeRetry(error('rate_limited', 900), 1, 1), undefined)
  assert.equal(isTransient(new TypeError('a bug')), false)
  assert.equal(isTransient(new FlorinError('internal_error', 'No.', { status: 500 })), false)
})
