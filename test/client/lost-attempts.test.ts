// A change whose response was lost may have been applied. The error of a later attempt must not
// hide that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, FlorinError } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
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

const refusal = (status: number, error: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ error, message: 'No.' }),
})

async function countOf(reference: string): Promise<number> {
  const direct = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
  const all = await Array.fromAsync(direct.transactions.list({ limit: 100 }))
  return all.filter((one) => one.reference === reference).length
}

const lostBefore = (code: string) => (error: unknown) => {
  assert.ok(error instanceof FlorinError, String(error))
  assert.equal(error.code, 'connection_failed')
  assert.equal(error.status, undefined)
  assert.match(error.message, new RegExp(`The next attempt failed with ${code}`))
  assert.ok(error.cause instanceof FlorinError)
  assert.equal(error.cause.code, code)
  return true
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof FlorinError && error.code === code

/** A client that runs `work` when its first request is lost. */
async function whenLost(work: (florin: Florin, session_id: string) => Promise<unknown>) {
  const { token, refresh_token, session_id } = await server.people.session(owner)
  const florin = new Florin({
    base_url: proxy.url,
    tokens: { access_token: token, refresh_token, session_id },
    fetch: (...args) =>
      fetch(...args).catch(async (error) => {
        await work(florin, session_id)
        throw error
      }),
  })
  return florin
}

test('reports an unknown outcome if the session ends after a lost response', async () => {
  const elsewhere = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
  const client = await whenLost((_, session_id) => elsewhere.sessions.end({ session_id }))
  proxy.lose = 1
  const made = client.transactions.create({ ...payment, reference: 'ended' })
  await assert.rejects(made, lostBefore('invalid_grant'))
  assert.equal(await countOf('ended'), 1)
  assert.equal(client.tokens, null)
})

test('reports an unknown outcome if the client switches sessions', async () => {
  const client = await whenLost((one) => one.useTokens(null))
  proxy.lose = 1
  const made = client.transactions.create({ ...payment, reference: 'left' })
  await assert.rejects(made, lostBefore('unauthorized'))
  assert.equal(await countOf('left'), 1)
})

test('reports an unknown outcome after errors that are not about the request', async () => {
  const cases = [
    { canned: refusal(503, 'unavailable'), retries_max: 1 },
    { canned: refusal(429, 'rate_limited', { 'retry-after': '900' }), retries_max: 3 },
    { canned: refusal(409, 'idempotency_conflict'), retries_max: 1 },
    { canned: refusal(500, 'internal_error'), retries_max: 3 },
    { canned: { status: 403, body: '<h1>No</h1>' }, retries_max: 3, code: 'unexpected_response' },
  ]
  for (const { canned, retries_max, code = JSON.parse(canned.body).error } of cases) {
    proxy.refuse = 1
    proxy.canned.push(canned)
    const made = florin.transactions.create(payment, { retries_max })
    await assert.rejects(made, lostBefore(code))
  }
})

test('a 5xx of a proxy reports an unknown outcome', async () => {
  const page = (status: number) => ({ status, body: '<h1>Bad gateway</h1>' })
  for (const status of [500, 502, 503, 504]) {
    proxy.canned.push(page(status), page(status))
    const made = florin.transactions.create(payment, { retries_max: 1 })
    await assert.rejects(made, (error) => {
      assert.ok(error instanceof FlorinError, String(error))
      assert.deepEqual([error.code, error.status], ['unexpected_response', status])
      assert.match(error.message, /is not from Florin\..* The change may have been applied\.$/)
      return true
    })
    proxy.canned.length = 0
  }
  // The error of a later attempt does not hide it.
  proxy.canned.push(page(504), refusal(429, 'rate_limited', { 'retry-after': '900' }))
  await assert.rejects(florin.transactions.create(payment), (error) => {
    assert.ok(error instanceof FlorinError, String(error))
    assert.deepEqual([error.code, error.status], ['unexpected_response', 504])
    assert.match(
      error.message,
      /The change may have been applied\. The next attempt failed with rate_l/,
    )
    assert.equal((error.cause as FlorinError).code, 'rate_limited')
    return true
  })
  // Not for a 4xx of a proxy, and not for a read.
  const messageOf = (call: Promise<unknown>) => call.catch((error: FlorinError) => error.message)
  proxy.canned.push(page(403), page(502))
  const refused = messageOf(florin.transactions.create(payment, { retries_max: 0 }))
  assert.doesNotMatch(String(await refused), /may have been applied/)
  const read = messageOf(florin.account.get({ retries_max: 0 }))
  assert.doesNotMatch(String(await read), /may have been applied/)
})

test('a 4xx about the request after a lost attempt is reported unchanged', async () => {
  proxy.refuse = 1
  const wrong = florin.transactions.create({ ...payment, currency: 'EUR' })
  await assert.rejects(wrong, failsWith('currency_mismatch'))
  const { id } = await florin.transactions.create(payment)
  await florin.transactions.cancel(id)
  proxy.refuse = 1
  await assert.rejects(florin.transactions.cancel(id), failsWith('not_cancellable'))
  proxy.lose = 1
  const made = await florin.transactions.create({ ...payment, reference: 'replayed' })
  assert.equal(made.reference, 'replayed')
  assert.equal(await countOf('replayed'), 1)
})

test('reports no unknown outcome for a read or a request that was never sent', async () => {
  proxy.refuse = 1
  proxy.canned.push(refusal(503, 'unavailable'))
  await assert.rejects(florin.account.get({ retries_max: 1 }), failsWith('unavailable'))
  const nowhere = `http://127.0.0.1:${await findFreePort()}`
  let attempts = 0
  const started = new Florin({
    base_url: proxy.url,
    tokens: { access_token: owner.token },
    retries_max: 1,
    fetch: (url, init) => {
      attempts += 1
      return fetch(attempts === 1 ? url.replace(proxy.url, nowhere) : url, init)
    },
  })
  proxy.canned.push(refusal(503, 'unavailable'))
  await assert.rejects(started.transactions.create(payment), failsWith('unavailable'))
})
