// Rate limits: per address without a valid credential, otherwise per credential. How many
// requests pass depends on the duration of the burst, so that is measured too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { assertErrorShape } from '../support/raw.ts'

// Low enough that even a busy machine sends more than that per second.
const per_second = 10
// Each test uses a separate address behind a proxy, so tests do not share an allowance.
const settings = { FLORIN_RATE_LIMIT: String(per_second), FLORIN_TRUST_PROXY: '1' }
const florin = await startFlorin(settings)
const { people } = florin

interface Burst {
  responses: ApiResponse[]
  passed: ApiResponse[]
  refused: ApiResponse[]
  seconds: number
}

type Send = (n: number) => Promise<ApiResponse>

async function burst(count: number, send: Send): Promise<Burst> {
  // None of these requests changes anything, whether it passes or not.
  const before = await hashDatabase(florin.db.pool)
  const result = await sendBurst(count, send)
  assert.deepEqual(await hashDatabase(florin.db.pool), before)
  countRefusals(result.refused.length)
  return result
}

async function sendBurst(count: number, send: Send): Promise<Burst> {
  const started = performance.now()
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  const seconds = (performance.now() - started) / 1_000
  const refused = responses.filter((response) => response.status === 429)
  const passed = responses.filter((response) => response.status !== 429)
  return { responses, passed, refused, seconds }
}

/** One second's allowance passes at once, then as many as the elapsed time allows. */
function assertLimited(of: Burst, allowance: number, about: string): void {
  const { passed, refused, seconds } = of
  const most = allowance + Math.ceil(allowance * seconds)
  assert.ok(passed.length >= allowance, `${about}: only ${passed.length} of ${allowance} passed`)
  assert.ok(passed.length <= most, `${about}: ${passed.length} passed in ${seconds} s, ${most} may`)
  assert.ok(
    refused.length > 0,
    `${about}: the burst was too slow to reach the limit, so nothing was tested`,
  )
  for (const response of refused) {
    assertErrorShape(response, about)
    assert.equal(response.body.error, 'rate_limited')
    assert.ok(Number(response.headers.get('retry-after')) >= 1)
  }
}

let number = 0

/** A client with a new address. */
function newClient() {
  number += 1
  const headers = { 'x-forwarded-for': `203.0.113.${number}` }
  const send = (method: string, path: string, options: CallOptions = {}) =>
    florin.call(method, path, { ...options, headers: { ...headers, ...options.headers } })
  return {
    get: (path: string, options?: CallOptions) => send('GET', path, options),
    post: (path: string, options?: CallOptions) => send('POST', path, options),
  }
}

const dead = `fat_${'b'.repeat(43)}`
const basic = { headers: { authorization: 'Basic eDp5' } }

test('requests without a valid credential are limited per address', async () => {
  const kinds: Record<string, (client: ReturnType<typeof newClient>) => Promise<ApiResponse>> = {
    nothing: (client) => client.get('/v1/account'),
    'a dead token': (client) => client.get('/v1/account', { token: dead }),
    'a malformed token': (client) => client.get('/v1/account', { token: 'x' }),
    Basic: (client) => client.get('/v1/account', basic),
    'a bad login': (client) => client.post('/v1/auth/login', { body: {} }),
    'a bad refresh': (client) => client.post('/v1/auth/refresh', { body: { x: 1 } }),
    'a bad sign-up': (client) => client.post('/v1/users', { body: {} }),
    'a bad token at sign-up': (client) => client.post('/v1/users', { token: 'x', body: {} }),
  }
  for (const [what, send] of Object.entries(kinds)) {
    const client = newClient()
    const result = await burst(60, () => send(client))
    assertLimited(result, per_second, what)
    for (const { status } of result.passed) assert.ok(status === 400 || status === 401, what)
  }
})

test('all kinds of requests without a credential share one allowance', async () => {
  const client = newClient()
  const kinds: Send[] = [
    () => client.get('/v1/account'),
    () => client.get('/v1/account', { token: dead }),
    () => client.post('/v1/users', { body: {} }),
    () => client.get('/v1/account', basic),
  ]
  assertLimited(await burst(80, (n) => kinds[n % kinds.length]!(n)), per_second, 'all kinds')
})

test('each credential of a user has a separate allowance', async () => {
  const client = newClient()
  const owner = await people.owner()
  const session = await people.session(owner)
  const result = await burst(60, () => client.get('/v1/account', { token: owner.token }))
  assertLimited(result, per_second, 'owner')
  assert.ok(result.passed.every((response) => response.status === 200))
  const other = await burst(8, () => client.get('/v1/account', { token: session.token }))
  assert.ok(other.responses.every((response) => response.status === 200))
})

test('a credential has one allowance across all addresses', async () => {
  const { token } = await people.owner()
  const clients = Array.from({ length: 30 }, newClient)
  const send: Send = (n) => clients[n % clients.length]!.get('/v1/account', { token })
  assertLimited(await burst(60, send), per_second, 'many addresses')
})

test('forbidden requests count too', async () => {
  const client = newClient()
  const lone = await people.lone()
  const result = await burst(60, () => client.get('/v1/users', { token: lone.token }))
  assertLimited(result, per_second, 'forbidden')
  assert.ok(result.passed.every((response) => response.status === 403))
})

test('a platform user has ten times the allowance', async () => {
  const { call } = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '2' })
  const { token } = await people.platform()
  const result = await burst(100, () => call('GET', '/v1/auth/sessions', { token }))
  assertLimited(result, 20, 'platform')
})

test('a valid credential passes while its address is over the limit', async () => {
  const client = newClient()
  const { token } = await people.owner()
  const bad = [{}, { token: dead }, basic]
  const flood = burst(200, (n) => client.get('/v1/account', bad[n % bad.length]))
  const calls = await burst(8, () => client.get('/v1/account', { token }))
  assert.ok(calls.responses.every((response) => response.status === 200))
  assertLimited(await flood, per_second, 'the flood')
})

test('requests with a valid credential do not count against the address', async () => {
  const client = newClient()
  const owners = [await people.owner(), await people.owner(), await people.owner()]
  const token = (n: number) => owners[n % owners.length]!.token
  const served = await burst(24, (n) => client.get('/v1/account', { token: token(n) }))
  assert.ok(served.responses.every((response) => response.status === 200))
  const anonymous = await burst(8, () => client.get('/v1/account'))
  assert.ok(anonymous.responses.every((response) => response.status === 401))
})

test('unknown paths, wrong methods and documents count against the address', async () => {
  const kinds: Record<string, (client: ReturnType<typeof newClient>) => Promise<ApiResponse>> = {
    'an unknown path': (client) => client.get('/nowhere'),
    'a path with bad escapes': (client) => client.get(`/x/${'%'.repeat(100)}`),
    'a wrong method': (client) => client.post('/livez'),
    'a guide': (client) => client.get('/docs/guides/move-money.md'),
    'the mark': (client) => client.get('/favicon.svg'),
    'a made-up cookie': (client) => client.get('/dashboard/api/v1/account', { headers: cookie }),
  }
  for (const [what, send] of Object.entries(kinds)) {
    const client = newClient()
    assertLimited(await burst(60, () => send(client)), per_second, what)
  }
})

const cookie = { cookie: `florin_dashboard=fds_${'a'.repeat(43)}` }

test('a large body and a large document cost more than one request', async () => {
  const body = `{"name":"${'a'.repeat(8_000)}"}`
  const sender = newClient()
  assertLimited(await burst(60, () => sender.post('/v1/users', { body })), per_second / 2, 'body')
  const headers = { 'accept-encoding': 'identity' }
  for (const path of ['/openapi.json', '/llms-full.txt']) {
    const reader = newClient()
    assert.equal((await reader.get(path, { headers })).status, 200)
    const started = performance.now()
    const after = await burst(20, () => reader.get('/v1/account'))
    const most = Math.ceil((per_second * (performance.now() - started)) / 1_000) + per_second / 2
    assert.ok(after.passed.length <= most, `${after.passed.length} passed, ${most} may`)
  }
})

test('a bulk request is admitted at any size, and then costs all its items', async () => {
  const client = newClient()
  const { token, account_id } = await people.owner()
  const item = { amount: 1, currency: 'USD', type: 'payment', metadata: { text: 'a'.repeat(900) } }
  // The body alone costs more than the allowance of a second.
  const body = { account_id, transactions: Array(100).fill(item) }
  const { status } = await client.post('/v1/transactions/bulk', { token, body })
  assert.equal(status, 200)
  const after = await burst(3, () => client.get('/v1/account', { token }))
  assert.equal(after.refused.length, 3)
  // The items cost ten seconds, and one second's allowance may be used ahead.
  for (const { headers } of after.refused) {
    const wait_s = Number(headers.get('retry-after'))
    assert.ok(wait_s >= 7 && wait_s <= 10, String(wait_s))
  }
})

test('a cookie is looked up only while its address has an allowance left', async () => {
  const db = openDatabase({ host: '/nowhere' })
  const log = pino({ level: 'silent' })
  const config = readConfig({ FLORIN_RATE_LIMIT: String(per_second) })
  const app = await buildApp({ db, log, config, version: '0.0.0-test' })
  const send = async () =>
    (await app.inject({ url: '/dashboard/api/v1/account', headers: cookie })).statusCode
  const statuses = await Promise.all(Array.from({ length: 40 }, send))
  const lookups = statuses.filter((status) => status === 503).length
  assert.ok(lookups >= per_second && lookups < 40, `${lookups} lookups`)
  assert.ok(statuses.every((status) => status === 503 || status === 429))
  await app.close()
  await db.close()
})

test('a valid cookie counts against its session and not against the address', async () => {
  const client = newClient()
  const { email, password } = await people.owner()
  const sent = { headers: { 'florin-dashboard': '1' }, body: { email, password } }
  const login = await client.post('/dashboard/api/session', sent)
  assert.equal(login.status, 200, login.text)
  const own = { headers: { cookie: login.headers.get('set-cookie')!.split(';', 1)[0]! } }
  const calls = await burst(8, () => client.get('/dashboard/api/v1/account', own))
  assert.deepEqual(new Set(calls.responses.map(({ status }) => status)), new Set([200]))
  const anonymous = await burst(8, () => client.get('/v1/account'))
  assert.ok(anonymous.responses.every(({ status }) => status === 401))
})

test('health checks never count and are never limited', async () => {
  const client = newClient()
  const paths = ['/livez', '/readyz']
  // Not every response needs to be 200: on a busy machine the database may be slow.
  const health = async () => {
    const { responses } = await burst(90, (n) => client.get(paths[n % paths.length]!))
    assert.ok(responses.some(({ status }) => status === 200))
    return responses.filter(({ status }) => status === 429).length
  }
  assert.equal(await health(), 0)
  assert.equal((await burst(8, () => client.get('/v1/account'))).refused.length, 0)
  assert.notEqual((await burst(60, () => client.get('/v1/account'))).refused.length, 0)
  assert.equal(await health(), 0)
})

test('FLORIN_RATE_LIMIT=off disables the limit', async () => {
  const { call } = await florin.startSecondServer({ FLORIN_RATE_LIMIT: 'off' })
  const result = await burst(200, () => call('GET', '/v1/account'))
  assert.equal(result.refused.length, 0)
})

test('a client that waits for Retry-After is admitted again', async () => {
  const client = newClient()
  const { refused } = await burst(60, () => client.get('/v1/account'))
  const waits = refused.map((response) => Number(response.headers.get('retry-after')))
  const wait_s = Math.max(...waits)
  assert.ok(wait_s <= 2, `Retry-After of ${wait_s} s for a limit per second`)
  await new Promise((resolve) => setTimeout(resolve, wait_s * 1_000))
  assert.equal((await client.get('/v1/account')).status, 401)
})
