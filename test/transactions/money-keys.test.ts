// The same Idempotency-Key has one effect and one response, at every endpoint that changes a
// transaction.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges, hashDatabase } from '../support/hash-database.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { openTransactionFixtures, type Shop, tally } from './transaction-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const fixtures = await openTransactionFixtures(florin)
const { pool } = florin.db

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

function expectReplay(again: ApiResponse, first: ApiResponse): void {
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
}

type Send = (options: CallOptions) => Promise<ApiResponse>

const changes: Record<string, (shop: Shop, id: string) => Send> = {
  create: (shop) => (options) =>
    fixtures.create(shop, { reference: 'once', metadata: { a: 1 } }, options),
  update: (shop, id) => (options) => fixtures.patch(shop, id, { metadata: { n: 1 } }, options),
  cancel: (shop, id) => (options) => fixtures.cancel(shop, id, options),
  settle: (_, id) => (options) => fixtures.settle(id, 'succeeded', options),
}

for (const [name, prepare] of Object.entries(changes)) {
  test(`${name}: a retry with the same key changes nothing and replays the response`, async () => {
    const shop = await fixtures.shop()
    const send = prepare(shop, (await fixtures.create(shop)).body.id)
    const first = await send(withKey(name))
    assert.ok(first.status < 300, first.text)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    for (let times = 0; times < 3; times++) {
      expectReplay(await assertNoChanges(pool, () => send(withKey(name))), first)
    }
  })
}

test('a replayed response does not reflect later changes to the transaction', async () => {
  const shop = await fixtures.shop()
  const first = await fixtures.create(shop, {}, withKey('create'))
  const { id } = first.body
  const patched = await fixtures.patch(shop, id, { metadata: { n: 1 } }, withKey('patch'))
  await fixtures.patch(shop, id, { metadata: { n: 2 } })
  await fixtures.settle(id)
  const status = { token: fixtures.admin.token, body: { status: 'suspended' } }
  await florin.call('PATCH', `/v1/accounts/${shop.account_id}`, status)
  expectReplay(await fixtures.create(shop, {}, withKey('create')), first)
  expectReplay(await fixtures.patch(shop, id, { metadata: { n: 1 } }, withKey('patch')), patched)
  assert.deepEqual((await fixtures.get(shop, id)).body.metadata, { n: 2 })
})

test('a key sent with a different request returns 422', async () => {
  const shop = await fixtures.shop(100)
  const { id } = (await fixtures.create(shop)).body
  const body = { account_id: shop.account_id, amount: 1, currency: 'USD', type: 'payment' }
  const { token } = shop
  const request = { token, body: JSON.stringify(body), ...withKey('used') }
  const path = '/v1/transactions'
  assert.equal((await florin.call('POST', path, request)).status, 201)
  const others: Record<string, () => Promise<ApiResponse>> = {
    'another amount': () => fixtures.create(shop, { amount: 2 }, withKey('used')),
    'one more field': () => fixtures.create(shop, { amount: 1, reference: null }, withKey('used')),
    'the same fields in other bytes': () =>
      florin.call('POST', path, { ...request, body: ` ${request.body}` }),
    'another query': () => florin.call('POST', `${path}?a=1`, request),
    'another endpoint': () => fixtures.patch(shop, id, { reference: 'x' }, withKey('used')),
    'another method and no body': () => fixtures.cancel(shop, id, withKey('used')),
  }
  for (const [name, send] of Object.entries(others)) {
    const response = await assertNoChanges(pool, send)
    const actual = [response.status, response.body.error]
    assert.deepEqual(actual, [422, 'idempotency_conflict'], `${name}: ${response.text}`)
  }
})

test('a key sent with another method, but the same path and body, returns 422', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const path = `/v1/transactions/${id}`
  const request = { token: shop.token, body: {}, ...withKey('of a PATCH') }
  const first = await florin.call('PATCH', path, request)
  assert.equal(first.status, 200, first.text)
  const other = await assertNoChanges(pool, () => florin.call('DELETE', path, request))
  assert.deepEqual([other.status, other.body.error], [422, 'idempotency_conflict'])
  assert.equal((await fixtures.get(shop, id)).body.status, 'pending')
})

test('two keys with identical requests have different fingerprints', async () => {
  const shop = await fixtures.shop()
  for (const key of ['one', 'other']) await fixtures.create(shop, { reference: 'r' }, withKey(key))
  const found = await pool.query(
    'select distinct fingerprint from idempotency_keys where scope_id = $1',
    [shop.uuid],
  )
  assert.equal(found.rowCount, 2)
})

test('a replay after logout returns 401', async () => {
  const shop = await fixtures.shop()
  const session = { ...shop, ...(await florin.people.session(shop)) }
  const first = await fixtures.create(session, {}, withKey('mine'))
  await florin.call('DELETE', '/v1/auth/session', { token: session.token })
  assert.equal((await fixtures.create(session, {}, withKey('mine'))).status, 401)
  expectReplay(await fixtures.create(shop, {}, withKey('mine')), first)
})

test('keys are scoped by user', async () => {
  const shop = await fixtures.shop()
  const member = { ...shop, ...(await florin.people.member(shop)) }
  const admin = { ...shop, token: fixtures.admin.token }
  const responses = [
    await fixtures.create(shop, {}, withKey('shared')),
    await fixtures.create(member, {}, withKey('shared')),
    await fixtures.create(admin, {}, withKey('shared')),
  ]
  assert.deepEqual(tally(responses), { 201: 3 })
  assert.equal(await fixtures.count(shop), 3)
  expectReplay(await fixtures.create(member, {}, withKey('shared')), responses[1]!)
})

test('keys are scoped by account', async () => {
  const [one, two] = [await fixtures.shop(), await fixtures.shop()]
  const as = (shop: Shop) => ({ ...shop, token: fixtures.admin.token })
  const first = await fixtures.create(as(one), {}, withKey('for each'))
  const second = await fixtures.create(as(two), {}, withKey('for each'))
  assert.deepEqual([first.status, second.status], [201, 201])
  expectReplay(await fixtures.create(as(two), {}, withKey('for each')), second)
})

test('errors are not stored: the request is decided again each time', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop, { amount: 100 })).body
  const refund = () => fixtures.refund(shop, 100, undefined, withKey('refund'))
  assert.equal((await refund()).status, 402)
  await fixtures.settle(id)
  const created = await refund()
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('idempotent-replayed'), null)
  const refusals: [string, () => Promise<ApiResponse>, number][] = [
    [
      'not found',
      () => fixtures.cancel(shop, 'txn_01h455vb4pex5vsknk084sn02q', withKey('k1')),
      404,
    ],
    ['not cancellable', () => fixtures.cancel(shop, id, withKey('k2')), 409],
    ['mismatch', () => fixtures.create(shop, { currency: 'EUR' }, withKey('k3')), 400],
    ['conflict', () => fixtures.patch(shop, id, { amount: 1 }, withKey('k4')), 409],
  ]
  const before = await hashDatabase(pool)
  for (const [name, send, status] of refusals) {
    assert.equal((await send()).status, status, name)
    assert.equal((await send()).status, status, `${name}, again`)
  }
  assert.deepEqual(await hashDatabase(pool), before)
  assert.equal((await fixtures.create(shop, {}, withKey('k3'))).status, 201, 'the key can be used')
})

test('a key must have 1 to 255 printable ASCII characters', async () => {
  const shop = await fixtures.shop()
  for (const key of ['x'.repeat(256), 'a\tb', 'é', '']) {
    const response = await fixtures.create(shop, {}, withKey(key))
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], key)
    assert.match(response.body.message, /^"Idempotency-Key" /)
  }
  for (const key of ['x'.repeat(255), '~', 'a "b", c']) {
    assert.equal((await fixtures.create(shop, {}, withKey(key))).status, 201, key)
  }
})

test('a key is stored for thirty days as a hash, and its request as a fingerprint', async () => {
  const shop = await fixtures.shop()
  await fixtures.create(shop, { reference: 'secret' }, withKey('plain text of a key'))
  const stored = await pool.query(
    `select retain_until - current_date as days, length(key_hash) as key_bytes,
       length(fingerprint) as fingerprint_bytes, status
     from idempotency_keys where scope_id = $1`,
    [shop.uuid],
  )
  assert.deepEqual(stored.rows, [{ days: 30, key_bytes: 32, fingerprint_bytes: 32, status: 201 }])
  const found = await pool.query(
    `select 1 from idempotency_keys
     where position($1::bytea in key_hash || fingerprint || body) > 0`,
    [Buffer.from('plain text of a key')],
  )
  assert.equal(found.rowCount, 0)
})

test('the change and its stored response are committed together or not at all', async () => {
  const shop = await fixtures.shop()
  await pool.query(`alter table idempotency_keys add constraint no_room check (status <> 201)
    not valid`)
  assert.equal((await fixtures.create(shop, {}, withKey('no room'))).status, 500)
  assert.equal(await fixtures.count(shop), 0)
  await pool.query('alter table idempotency_keys drop constraint no_room')
  assert.equal((await fixtures.create(shop, {}, withKey('no room'))).status, 201)
})
