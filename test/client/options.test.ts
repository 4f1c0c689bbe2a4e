// What a program may give to the client by mistake, and what must not come of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'

const server = await startFlorin()
const owner = await server.people.owner()
const base_url = server.url
const florin = new Florin({ base_url, tokens: { access_token: owner.token } })

test('a number that is none is refused by name: as null it would delete', async () => {
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
      message: `weight is ${weight}, which JSON would send as null. Nothing was sent.`,
    })
  }
  // By then JSON has made null of them, so they are looked at as they were given.
  const invalid = new Date('1 Foo')
  for (const weight of [invalid, new Number(Number.NaN), { toJSON: () => null }]) {
    await assert.rejects(florin.transactions.update(id, { metadata: { weight } }), {
      name: 'TypeError',
      message: `weight is ${weight}, which JSON would send as null. Nothing was sent.`,
    })
  }
  assert.deepEqual((await florin.transactions.get(id)).metadata, { weight: 12 })
  const due = new Date(0)
  const kept = await florin.transactions.update(id, {
    metadata: { due, weight: null, size: new Number(3), none: null },
  })
  assert.deepEqual(kept.metadata, { due: due.toJSON(), size: 3 })
})

test('a query parameter that does not exist is rejected before anything is sent', async () => {
  const misspelled = { statuss: 'pending' } as object
  await assert.rejects(
    Promise.resolve(florin.transactions.list(misspelled)),
    /^TypeError: "statuss" is not a query parameter of GET \/v1\/transactions\. Allowed: limit, /,
  )
})

test('a key that is not set is told, and nobody is signed up in its place', async () => {
  const none = undefined as unknown as string
  const wrong = [
    [{ api_key: undefined }, 'api_key is undefined'],
    [{ api_key: '' }, 'api_key is empty'],
    [{ api_key: null as unknown as string }, 'api_key is null'],
    [{ tokens: { access_token: none } }, 'tokens.access_token is undefined'],
    [{ tokens: { access_token: '' } }, 'tokens.access_token is empty'],
  ] as const
  for (const [given, rule] of wrong) {
    assert.throws(() => new Florin({ base_url, ...given }), {
      name: 'TypeError',
      message: `${rule}: is its environment variable set?`,
    })
  }
  await assert.rejects(new Florin({ base_url }).useTokens({ access_token: none }), /is undefined/)
  // One of the two is what a program that takes either gives; none at all is how to log in.
  const tokens = { access_token: owner.token }
  assert.ok(new Florin({ base_url, api_key: undefined, tokens }).tokens)
  assert.equal(new Florin({ base_url, tokens: undefined }).tokens, null)
})

test('what no header can hold is told by name, and not as a connection that was lost', async () => {
  let tries = 0
  const count = async () => {
    tries += 1
    return new Response()
  }
  const wrong = ['Invoice – 114', 'Größe', 'one\u0001two', 'one\ntwo']
  for (const text of wrong) {
    const tokens = { access_token: owner.token }
    const one = new Florin({ base_url, tokens, fetch: count })
    const keyed = new Florin({ base_url, api_key: `sk_live_${text}`, fetch: count })
    for (const [name, asked] of [
      ['Idempotency-Key', one.transactions.cancel('txn_1', { idempotency_key: text })],
      ['Florin-Account', one.account.get({ account: text })],
      ['Authorization', keyed.account.get()],
    ] as const) {
      await assert.rejects(asked, {
        name: 'TypeError',
        message:
          `${name} must be printable ASCII, and what was given for it is not. ` +
          'Nothing was sent.',
      })
    }
  }
  assert.equal(tries, 0)
  // From a file whose last line ends, or a number where types are not checked.
  const tokens = { access_token: `${owner.token}\r\n` }
  const one = new Florin({ base_url, tokens })
  await one.account.update({ name: 'Acme' }, { idempotency_key: 114 as unknown as string })
})

test('a time-out that no timer can hold is a long one', async () => {
  for (const timeout_ms of [2_147_483_648, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    const patient = new Florin({
      base_url,
      tokens: { access_token: owner.token },
      timeout_ms,
      retries_max: 0,
      // Longer than the millisecond that such a timer would have.
      fetch: async (url, init) => {
        await new Promise((resolve) => setTimeout(resolve, 30))
        return fetch(url, init)
      },
    })
    assert.equal((await patient.account.get()).id, owner.account_id)
  }
})
