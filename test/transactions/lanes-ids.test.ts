// Ids are assigned under the lock, so within an account they are in commit order, regardless of
// clock skew between processes. A request whose key is in flight gets 409.

import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid, nextUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
  tally,
  waitForWaiters,
} from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openTransactionFixtures(florin)
afterEach(() => mock.timers.reset())

/** Ordered by the sequence of their first posting, which is the commit order. */
async function inOrderOfCommits(shop: Shop): Promise<{ id: string; at: Date }[]> {
  const text = `select transaction_id as id, at from postings
    where account_id = $1 and movement in ('arrive', 'hold') order by sequence`
  return (await florin.db.pool.query(text, [shop.uuid])).rows
}

function assertAscending(ids: string[]): void {
  assert.deepEqual(ids, [...new Set(ids)].sort())
}

test('ids are in commit order while two processes write to one account', async () => {
  const shop = await fixtures.shop()
  const sent = Array.from({ length: 200 }, (_, at) =>
    fixtures.create(shop, {}, { call: at % 2 ? other.call : florin.call }),
  )
  assert.deepEqual(tally(await Promise.all(sent)), { 201: 200 })
  assertAscending((await inOrderOfCommits(shop)).map(({ id }) => id))
})

test('ids are in commit order even if the clock of a process goes back', async () => {
  const shop = await fixtures.shop()
  const now = Date.now()
  mock.timers.enable({ apis: ['Date'], now })
  for (const behind_ms of [0, 1, 500, 60_000, 3_000_000, 10]) {
    mock.timers.setTime(now - behind_ms)
    const created = await fixtures.create(shop)
    assert.equal(created.status, 201, created.text)
  }
  const transactions = await inOrderOfCommits(shop)
  assertAscending(transactions.map(({ id }) => id))
  for (const { at } of transactions) assert.ok(at.getTime() >= now, 'times do not decrease')
})

test('created_at is the time in the id and of the first posting', async () => {
  const shop = await fixtures.shop()
  for (let times = 0; times < 5; times++) await fixtures.create(shop)
  const listed = await florin.call('GET', '/v1/transactions', { token: shop.token })
  const transactions = await inOrderOfCommits(shop)
  const shown = listed.body.data.reverse()
  assert.equal(transactions.length, 5)
  transactions.forEach(({ id, at }, number) => {
    const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    assert.equal(shown[number].created_at, new Date(ms).toISOString())
    assert.equal(at.getTime(), ms)
  })
})

test('the time of a change is when it is decided, not when it arrived', async () => {
  // Lists across accounts depend on this: they skip only the most recent ten seconds.
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const sent = fixtures.create(shop)
  await waitForWaiters(florin)
  await sleep(50)
  const decided_after = new Date().toISOString()
  await release()
  const { created_at } = (await sent).body
  assert.ok(created_at >= decided_after, `${created_at} is before ${decided_after}`)
})

test('if the last id is ahead of the clock, the next id is the last plus one', async () => {
  const shop = await fixtures.shop()
  const first = await fixtures.create(shop)
  // As if another process, whose clock was an hour ahead, had assigned the last id.
  const ahead_ms = Date.now() + 3_600_000
  const hex = ahead_ms.toString(16).padStart(12, '0')
  const last = `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffff00`
  const text = 'update balances set last_transaction_id = $2 where account_id = $1'
  await florin.db.pool.query(text, [shop.uuid, last])
  let expected = last
  for (const process of [florin, other, florin]) {
    const { body } = await fixtures.create(shop, {}, { call: process.call })
    expected = nextUuid(expected)
    assert.equal(body.id, toTypeId('transaction', expected))
    assert.equal(body.created_at, new Date(ahead_ms).toISOString())
  }
  assert.ok(findUuid('transaction', first.body.id)! < last)
})

test('a second request gets 409 while its key is in flight, and a replay afterwards', async () => {
  const shop = await fixtures.shop()
  const options = { headers: { 'idempotency-key': 'in flight' } }
  const release = await holdLock(florin, shop)
  const first = fixtures.create(shop, {}, options)
  await waitForWaiters(florin)
  const second = await fixtures.create(shop, {}, options)
  assert.deepEqual([second.status, second.body.error], [409, 'idempotency_conflict'])
  const another_key = fixtures.create(shop, {}, { headers: { 'idempotency-key': 'another' } })
  await release()
  assert.deepEqual(tally(await Promise.all([first, another_key])), { 201: 2 })
  const third = await fixtures.create(shop, {}, options)
  assert.equal(third.text, (await first).text)
  assert.equal(third.headers.get('idempotent-replayed'), 'true')
  assert.equal(await fixtures.count(shop), 2)
})

test('a key whose request was rejected can be used again', async () => {
  const shop = await fixtures.shop()
  const options = { headers: { 'idempotency-key': 'refused' } }
  assert.equal((await fixtures.refund(shop, 100, undefined, options)).status, 402)
  await fixtures.fund(shop, 100)
  assert.equal((await fixtures.refund(shop, 100, undefined, options)).status, 201)
})

test('a key whose client disconnected while queued can be used again', async () => {
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const first = fixtures.create(shop)
  await waitForWaiters(florin)
  const leaving = new AbortController()
  const headers = {
    authorization: `Bearer ${shop.token}`,
    'content-type': 'application/json',
    'idempotency-key': 'gone',
  }
  const whole = { account_id: shop.account_id, amount: 1, currency: 'USD', type: 'payment' }
  const request = { method: 'POST', headers, body: JSON.stringify(whole) }
  const url = `${florin.url}/v1/transactions`
  const gone = fetch(url, { ...request, signal: leaving.signal })
  gone.catch(() => {})
  // Queued behind the first it is in flight, so a second request gets 409.
  const behind = /^florin_lane_blocked\{lane="transactions"\} 2$/m
  await until(async () => behind.test((await florin.call('GET', '/metrics')).text))
  assert.equal((await fetch(url, request)).status, 409)
  leaving.abort()
  await assert.rejects(gone, { name: 'AbortError' })
  await release()
  await first
  await until(async () => (await fetch(url, request)).status === 201)
  assert.equal(await fixtures.count(shop), 2)
})
