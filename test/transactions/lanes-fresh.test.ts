// Decisions under the lock use current data. A second server runs first and is held at its COMMIT,
// with the lock; the first server waits for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, type Shop, waitForWaiters } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const proxy = await startCommitProxy(florin.connection)
const other = await florin.startSecondServer({}, proxy.connection)

/** Sends `second` while `first` is decided but not committed; returns the response to `second`. */
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
const asAdmin = (body: unknown) => ({ token: fixtures.admin.token, body })

test('create is rejected if the account was suspended while it waited', async () => {
  const shop = await fixtures.shop()
  const path = `/v1/accounts/${shop.account_id}`
  const response = await overtake(
    () => other.call('PATCH', path, asAdmin({ status: 'suspended' })),
    () => fixtures.create(shop),
  )
  expectRefusal(response, 400, 'invalid_request')
  assert.equal(await fixtures.count(shop), 0)
})

test('create uses the currency that was set while it waited', async () => {
  const shop = await fixtures.shop()
  const body = { settings: { currency: 'EUR' } }
  const response = await overtake(
    () => other.call('PATCH', '/v1/account', { token: shop.token, body }),
    () => fixtures.create(shop),
  )
  expectRefusal(response, 400, 'currency_mismatch')
  assert.equal((await fixtures.create(shop, { currency: 'EUR' })).status, 201)
})

test('a refund is rejected if the funds were refunded while it waited', async () => {
  const shop = await fixtures.shop(100)
  const response = await overtake(
    () => fixtures.refund(shop, 100, undefined, elsewhere),
    () => fixtures.refund(shop, 1),
  )
  expectRefusal(response, 402, 'insufficient_funds')
})

test('cancel is rejected if the transaction was settled while it waited', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const response = await overtake(
    () => other.call('POST', `/v1/transactions/${id}/settle`, asAdmin({ outcome: 'succeeded' })),
    () => fixtures.cancel(shop, id),
  )
  expectRefusal(response, 409, 'not_cancellable')
})

test('metadata changed while another change waited is merged', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const response = await overtake(
    () =>
      other.call('PATCH', `/v1/transactions/${id}`, {
        token: shop.token,
        body: { metadata: { one: 1 } },
      }),
    () => fixtures.patch(shop, id, { metadata: { two: 2 } }),
  )
  assert.deepEqual(response.body.metadata, { one: 1, two: 2 })
})

test('a refund counts other refunds of its payment that were created while it waited', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  const response = await overtake(
    () => fixtures.refund(shop, 700, payment, elsewhere),
    () => fixtures.refund(shop, 400, payment),
  )
  expectRefusal(response, 400, 'invalid_request')
})

test('a key used by another process while a request waited is replayed', async () => {
  const shop = await fixtures.shop()
  const options = { headers: { 'idempotency-key': 'twice' } }
  let leading: ApiResponse | undefined
  const response = await overtake(
    async () => {
      leading = await fixtures.create(shop, {}, { ...options, ...elsewhere })
      return leading
    },
    () => fixtures.create(shop, {}, options),
  )
  assert.equal(response.status, 201)
  assert.equal(response.text, leading!.text)
  assert.equal(response.headers.get('idempotent-replayed'), 'true')
  assert.equal(await fixtures.count(shop), 1)
})

/** Everything that revokes a token, for users with and without an account. */
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
  test(`create returns 401 and writes nothing if ${name} while it waited`, async () => {
    const shop = await fixtures.shop()
    const [token, revoke] = await prepare(shop)
    const response = await overtake(revoke, () => fixtures.create({ ...shop, token }))
    expectRefusal(response, 401, 'unauthorized')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.equal(await fixtures.count(shop), 0)
  })
}
