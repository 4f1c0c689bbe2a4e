// Invalid options of the client, and their errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'

const server = await startFlorin()
const owner = await server.people.owner()
const base_url = server.url
const florin = new Florin({ base_url, tokens: { access_token: owner.token } })

test('rejects NaN, Infinity and invalid dates, which JSON would send as null', async () => {
  const { id } = await florin.transactions.create({
    account_id: owner.account_id,
    amount: 7500,
    currency: 'USD',
    type: 'payment',
    metadata: { weight: 12 },
  })
  for (const [weight, metadata] of [
    [Number.NaN, { weight: Number.NaN }],
    [Number.POSITIVE_INFINITY, { size: { weight: Number.POSITIVE_INFINITY } }],
    [Number.NEGATIVE_INFINITY, { weight: Number.NEGATIVE_INFINITY }],
  ] as const) {
    await assert.rejects(florin.transactions.update(id, { metadata }), {
      name: 'TypeError',
      message: `"weight" is ${weight}, which JSON would send as null. Nothing was sent.`,
    })
  }
  // JSON calls toJSON before the replacer, so the client checks the original value.
  const invalid = new Date('1 Foo')
  for (const weight of [invalid, new Number(Number.NaN), { toJSON: () => null }]) {
    await assert.rejects(florin.transactions.update(id, { metadata: { weight } }), {
      name: 'TypeError',
      message: `"weight" is ${weight}, which JSON would send as null. Nothing was sent.`,
    })
  }
  assert.deepEqual((await florin.transactions.get(id)).metadata, { weight: 12 })
  const due = new Date(0)
  const updated = await florin.transactions.update(id, {
    metadata: { due, weight: null, size: new Number(3), none: null },
  })
  assert.deepEqual(updated.metadata, { due: due.toJSON(), size: 3 })
})

test('a query parameter that does not exist is rejected before anything is sent', async () => {
  const misspelled = { statuss: 'pending' } as object
  await assert.rejects(
    Promise.resolve(florin.transactions.list(misspelled)),
    /^TypeError: "statuss" is not a query parameter of GET \/v1\/transactions\. Allowed: limit, /,
  )
})

test('rejects an unset key or token instead of sending unauthenticated requests', async () => {
  const none = undefined as unknown as string
  const wrong = [
    [{ api_key: undefined }, '"api_key" is undefined'],
    [{ api_key: '' }, '"api_key" is empty'],
    [{ api_key: null as unknown as string }, '"api_key" is null'],
    [{ tokens: { access_token: none } }, '"tokens.access_token" is undefined'],
    [{ tokens: { access_token: '' } }, '"tokens.access_token" is empty'],
  ] as const
  for (const [options, problem] of wrong) {
    assert.throws(() => new Florin({ base_url, ...options }), {
      name: 'TypeError',
      message: `${problem}. Check that its environment variable is set.`,
    })
  }
  await assert.rejects(new Florin({ base_url }).useTokens({ access_token: none }), /is undefined/)
  // Either one may be undefined if the other is set; without both, the client can log in.
  const tokens = { access_token: owner.token }
  assert.ok(new Florin({ base_url, api_key: undefined, tokens }).tokens)
  assert.equal(new Florin({ base_url, tokens: undefined }).tokens, null)
})

test('rejects invalid header values by name instead of as a connection error', async () => {
  let attempts = 0
  const count = async () => {
    attempts += 1
    return new Response()
  }
  const wrong = ['Invoice – 114', 'Größe', 'one\u0001two', 'one\ntwo']
  for (const text of wrong) {
    const tokens = { access_token: owner.token }
    const one = new Florin({ base_url, tokens, fetch: count })
    const keyed = new Florin({ base_url, api_key: `sk_live_${text}`, fetch: count })
    for (const [name, call] of [
      ['Idempotency-Key', one.transactions.cancel('txn_1', { idempotency_key: text })],
      ['Florin-Account', one.account.get({ account: text })],
      ['Authorization', keyed.account.get()],
    ] as const) {
      await assert.rejects(call, {
        name: 'TypeError',
        message: `The value of ${name} must be printable ASCII. Nothing was sent.`,
      })
    }
  }
  assert.equal(attempts, 0)
  // A line ending is trimmed, and a number is accepted where types are not checked.
  const tokens = { access_token: `${owner.token}\r\n` }
  const one = new Florin({ base_url, tokens })
  await one.account.update({ name: 'Acme' }, { idempotency_key: 114 as unknown as string })
})

test('accepts a timeout longer than the maximum of setTimeout', async () => {
  for (const timeout_ms of [2_147_483_648, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    const patient = new Florin({
      base_url,
      tokens: { access_token: owner.token },
      timeout_ms,
      retries_max: 0,
      // Longer than the one millisecond of an overflowing timer.
      fetch: async (url, init) => {
        await new Promise((resolve) => setTimeout(resolve, 30))
        return fetch(url, init)
      },
    })
    assert.equal((await patient.account.get()).id, owner.account_id)
  }
})
