import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, FlorinError } from '../../client/src/florin.ts'
import { backoff, isTransient, waitBeforeRetry } from '../../client/src/retry.ts'
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

test('a change whose response was lost is sent again under its key, and happens once', async () => {
  proxy.lose = 2
  const made = await florin.transactions.create({ ...payment, reference: 'lost-twice' })
  assert.equal(made.reference, 'lost-twice')
  const keys = proxy.keysSeen()
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  assert.equal(await countOf('lost-twice'), 1)
})

test('two calls have two keys, and a key of one’s own is sent as it is', async () => {
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

test('a refused connection, 503 and 429 are tried again, for changes and for reads', async () => {
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

test('while the first request with a key is under way, the second waits and replays', async () => {
  const conflict = '{"error":"idempotency_conflict","message":"Still being worked on."}'
  proxy.canned.push({ status: 409, body: conflict })
  const made = await florin.transactions.create({ ...payment, reference: 'under-way' })
  assert.equal(made.reference, 'under-way')
  assert.equal(new Set(proxy.keysSeen()).size, 1)
})

test('a key that was used for another request is an error, and is not tried again', async () => {
  const options = { idempotency_key: 'used-elsewhere' }
  await florin.transactions.create({ ...payment, amount: 1 }, options)
  proxy.requests.length = 0
  const again = florin.transactions.create({ ...payment, amount: 2 }, options)
  await assert.rejects(again, failsWith('idempotency_conflict'))
  assert.equal(proxy.requests.length, 1)
})

test('what Florin refuses is not tried again', async () => {
  const refused = florin.transactions.create({ ...payment, currency: 'EUR' })
  await assert.rejects(refused, failsWith('currency_mismatch'))
  assert.equal(proxy.requests.length, 1)
})

test('a change without a key is never sent twice', async () => {
  const anybody = new Florin({ base_url: proxy.url })
  proxy.refuse = 1
  const log_in = anybody.sessions.logIn({ email: owner.email, password: owner.password })
  await assert.rejects(log_in, failsWith('connection_failed'))
  proxy.canned.push(unavailable)
  const who = { ...credentials('alone'), name: 'Alone' }
  await assert.rejects(anybody.users.create(who), failsWith('unavailable'))
  assert.equal(proxy.requests.length, 2)
  assert.deepEqual(proxy.keysSeen(), [], 'a key without a caller would promise too much')
})

test('tries end where the caller says, with the last error', async () => {
  proxy.canned.push(unavailable, unavailable, unavailable, unavailable)
  const asked = florin.account.get({ retries_max: 1 })
  await assert.rejects(asked, (error: FlorinError) => {
    assert.deepEqual([error.code, error.status, error.request_id], ['unavailable', 503, 'req_x'])
    return true
  })
  assert.equal(proxy.canned.splice(0).length, 2)
})

test('whoever asks whether Florin is ready hears the first response', async () => {
  proxy.canned.push(unavailable)
  await assert.rejects(florin.health.isReady(), failsWith('unavailable'))
  assert.deepEqual(await florin.health.isReady(), { status: 'ok' })
})

test('no response in time is an error that says so, or another try', async () => {
  proxy.hang = 1
  const once = florin.account.get({ timeout_ms: 100, retries_max: 0 })
  await assert.rejects(once, failsWith('timed_out'))
  proxy.hang = 1
  assert.equal((await florin.account.get({ timeout_ms: 2_000 })).id, owner.account_id)
})

test('a signal ends a call on the wire, between tries and before it began', async () => {
  const reason = new Error('The reader left.')
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

test('an response that is not Florin’s says so', async () => {
  proxy.canned.push({ status: 404, body: '<h1>Not here</h1>' })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
  proxy.canned.push({ status: 200, body: '<h1>Welcome</h1>' })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
  proxy.canned.push({ status: 302, headers: { location: 'http://127.0.0.1:9/' } })
  await assert.rejects(florin.account.get(), failsWith('unexpected_response'))
})

test('waits double up to a limit, differ, and follow Retry-After within reason', () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((tries) => backoff(tries, 1)),
    [500, 1000, 2000, 8000],
  )
  assert.equal(backoff(1, 0), 250)
  const error = (code: 'unavailable' | 'rate_limited', retry_after_s?: number) =>
    new FlorinError(code, 'Later.', { status: code === 'unavailable' ? 503 : 429, retry_after_s })
  assert.equal(waitBeforeRetry(error('unavailable', 2), 1, 1), 2500)
  assert.equal(waitBeforeRetry(error('rate_limited', 900), 1, 1), undefined)
  assert.equal(isTransient(new TypeError('a fault of our own')), false)
  assert.equal(isTransient(new FlorinError('internal_error', 'No.', { status: 500 })), false)
})
