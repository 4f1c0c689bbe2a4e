// HOUSE.md §2: what is decided under the lock is decided on what the one before left. A second
// server goes first and is held at its COMMIT, with the lock; the first server waits for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, type Shop, waitForWaiters } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const till = await openTransactionFixtures(florin)
const proxy = await startCommitProxy(florin.connection)
const other = await florin.startSecondServer({}, proxy.connection)

/** Sends the second while the first has decided and not yet committed; what the second is told. */
async function overtake(
  first: () => Promise<ApiResponse>,
  second: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const commit = proxy.next('hold')
  const leading = first()
  await Promise.race([commit.seen, leading])
  const waiting = second()
  await waitForWaiters(florin)
  await commit.release()
  const { status, text } = await leading
  assert.ok(status < 300, text)
  return waiting
}

function expectRefusal(response: ApiResponse, status: number, error: string): void {
  assert.deepEqual([response.status, response.body.error], [status, error], response.text)
}

const elsewhere = { call: other.call }
const asAdmin = (body: unknown) => ({ token: till.admin.token, body })

test('an account suspended while a creation waited takes it no more', async () => {
  const shop = await till.shop()
  const path = `/v1/accounts/${shop.account_id}`
  const response = await overtake(
    () => other.call('PATCH', path, asAdmin({ status: 'suspended' })),
    () => till.create(shop),
  )
  expectRefusal(response, 400, 'invalid_request')
  assert.equal(await till.count(shop), 0)
})

test('a currency changed while a creation waited is the one that counts', async () => {
  const shop = await till.shop()
  const body = { settings: { currency: 'EUR' } }
  const response = await overtake(
    () => other.call('PATCH', '/v1/account', { token: shop.token, body }),
    () => till.create(shop),
  )
  expectRefusal(response, 400, 'currency_mismatch')
  assert.equal((await till.create(shop, { currency: 'EUR' })).status, 201)
})

test('money refunded while another refund waited is not there any more', async () => {
  const shop = await till.shop(100)
  const response = await overtake(
    () => till.refund(shop, 100, undefined, elsewhere),
    () => till.refund(shop, 1),
  )
  expectRefusal(response, 402, 'insufficient_funds')
})

test('a transaction settled while its cancellation waited is not canceled', async () => {
  const shop = await till.shop()
  const { id } = (await till.create(shop)).body
  const response = await overtake(
    () => other.call('POST', `/v1/transactions/${id}/settle`, asAdmin({ outcome: 'succeeded' })),
    () => till.cancel(shop, id),
  )
  expectRefusal(response, 409, 'not_cancellable')
})

test('metadata changed while another change waited is merged, not overwritten', async () => {
  const shop = await till.shop()
  const { id } = (await till.create(shop)).body
  const response = await overtake(
    () =>
      other.call('PATCH', `/v1/transactions/${id}`, {
        token: shop.token,
        body: { metadata: { one: 1 } },
      }),
    () => till.patch(shop, id, { metadata: { two: 2 } }),
  )
  assert.deepEqual(response.body.metadata, { one: 1, two: 2 })
})

test('what was refunded of a payment while another refund waited counts', async () => {
  const shop = await till.shop(5_000)
  const payment = await till.fund(shop, 1_000)
  const response = await overtake(
    () => till.refund(shop, 700, payment, elsewhere),
    () => till.refund(shop, 400, payment),
  )
  expectRefusal(response, 400, 'invalid_request')
})

test('a key used in another process while it waited is answered with the same', async () => {
  const shop = await till.shop()
  const options = { headers: { 'idempotency-key': 'twice' } }
  let leading: ApiResponse | undefined
  const response = await overtake(
    async () => {
      leading = await till.create(shop, {}, { ...options, ...elsewhere })
      return leading
    },
    () => till.create(shop, {}, options),
  )
  assert.equal(response.status, 201)
  assert.equal(response.text, leading!.text)
  assert.equal(response.headers.get('idempotent-replayed'), 'true')
  assert.equal(await till.count(shop), 1)
})

/** Everything that ends a token, for a person of an account and for one without. */
const revocations: Record<string, (shop: Shop) => Promise<[string, () => Promise<ApiResponse>]>> = {
  'the session was ended': async (shop) => [
    shop.token,
    () => other.call('DELETE', '/v1/auth/session', { token: shop.token }),
  ],
  'the member was suspended': async (shop) => {
    const { id, token } = await florin.people.member(shop)
    const body = { status: 'suspended' }
    return [token, () => other.call('PATCH', `/v1/users/${id}`, { token: shop.token, body })]
  },
  'the account was closed': async (shop) => [
    shop.token,
    () => other.call('DELETE', '/v1/account', { token: shop.token }),
  ],
  'the session of an admin was ended': async () => {
    const { token } = await florin.people.admin()
    return [token, () => other.call('DELETE', '/v1/auth/session', { token })]
  },
}

for (const [name, prepare] of Object.entries(revocations)) {
  test(`a creation that waited while ${name} is refused, and nothing is written`, async () => {
    const shop = await till.shop()
    const [token, revoke] = await prepare(shop)
    const response = await overtake(revoke, () => till.create({ ...shop, token }))
    expectRefusal(response, 401, 'unauthorized')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.equal(await till.count(shop), 0)
  })
}
