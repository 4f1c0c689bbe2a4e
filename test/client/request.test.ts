// florin.request, onRetry, refreshTokens, and the timeout of a long response.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, FlorinError } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

const server = await startFlorin()
const proxy = await startFaultProxy(server.url)
const owner = await server.people.owner()
const base_url = proxy.url
const florin = new Florin({ base_url, tokens: { access_token: owner.token } })

const payment = { account_id: owner.account_id, amount: 5, currency: 'USD', type: 'payment' }

test('request sends any method and path, and returns the response as text', async () => {
  const { status, headers, text } = await florin.request('GET', '/v1/transactions', {
    query: { limit: 1 },
  })
  assert.equal(status, 200)
  assert.match(headers.get('request-id')!, /^req_/)
  assert.deepEqual(JSON.parse(text).data, [])
  const csv = await florin.request('GET', '/v1/account/statement', { query: { format: 'csv' } })
  assert.match(csv.text, /^[a-z_]+,/)
  await assert.rejects(florin.request('GET', 'v1/account'), /"path" must be like \/v1\/payments/)
  await assert.rejects(florin.request('GET', '//other.example/'), /"path" must be like/)
})

test('request retries a change with one key, and the error has the key', async () => {
  proxy.lose = 1
  const made = await florin.request('POST', '/v1/transactions', { body: payment })
  assert.equal(made.status, 201)
  assert.equal(new Set(proxy.keysSeen()).size, 1)
  proxy.lose = 1
  const options = { body: payment, idempotency_key: 'order-1', retries_max: 0 }
  const lost = await florin.request('POST', '/v1/transactions', options).catch((error) => error)
  assert.ok(lost instanceof FlorinError)
  assert.deepEqual([lost.outcome_unknown, lost.idempotency_key], [true, 'order-1'])
  const wrong = florin.request('POST', '/v1/transactions', { body: { ...payment, amount: -1 } })
  await assert.rejects(wrong, { code: 'invalid_request', outcome_unknown: false })
  const { data } = await florin.transactions.list()
  assert.equal(data.length, 2)
})

test('onRetry receives the error before each retry and reconnection', async () => {
  const errors: string[] = []
  const onRetry = (error: FlorinError) => void errors.push(error.code)
  proxy.refuse = 2
  await florin.account.get({ onRetry })
  assert.deepEqual(errors, ['connection_failed', 'connection_failed'])
  errors.length = 0
  const { signal, abort } = abortable()
  const newest = (await florin.events.list({ limit: 1 })).data[0]!.sequence
  const events = florin.events.stream({ after: newest - 1 }, { onRetry, signal })
  await events.next()
  const idle = events.next().catch((error) => error.message)
  proxy.cut()
  await until(() => errors.length > 0)
  assert.deepEqual(errors, ['connection_failed'])
  abort()
  assert.equal(await idle, 'Enough.')
})

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(new Error('Enough.')) }
}

test('refreshTokens replaces the refresh, and its error ends the call', async () => {
  const { token, refresh_token, session_id } = await server.people.session(owner)
  const expired = { access_token: 'fat_ended', refresh_token, session_id }
  const fresh = { access_token: token, refresh_token, session_id }
  const seen: string[] = []
  const shared = new Florin({
    base_url,
    tokens: expired,
    refreshTokens: async (tokens) => {
      seen.push(tokens.access_token)
      return { ...fresh, token_type: 'Bearer', expires_in: 3600 }
    },
  })
  assert.equal((await shared.account.get()).id, owner.account_id)
  assert.deepEqual([seen, shared.tokens], [['fat_ended'], fresh])
  assert.ok(!proxy.requests.some((text) => text.includes('/v1/auth/refresh')))
  const ended = new Florin({
    base_url,
    tokens: expired,
    refreshTokens: () => Promise.reject(new Error('Logged out.')),
  })
  await assert.rejects(ended.account.get(), /^Error: Logged out\.$/)
})

test('the timeout restarts with each part of a response', async () => {
  const timeout_ms = 1_000
  const respond =
    (part_ms: number) =>
    async (_: string, { signal }: RequestInit) => {
      const parts = ['a ', 'long ', 'statement']
      const body = new ReadableStream<Uint8Array>({
        start: (controller) =>
          signal!.addEventListener('abort', () => controller.error(signal!.reason)),
        pull: async (controller) => {
          await new Promise((resolve) => setTimeout(resolve, part_ms))
          if (signal!.aborted) return
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(part))
        },
      })
      return new Response(body)
    }
  const get = (part_ms: number) =>
    new Florin({ base_url, timeout_ms, retries_max: 0, fetch: respond(part_ms) }).request(
      'GET',
      '/x',
    )
  assert.equal((await get(600)).text, 'a long statement')
  await assert.rejects(get(3_000), { code: 'timed_out' })
})
