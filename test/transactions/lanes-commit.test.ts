// A request succeeds only if COMMIT does, even if the connection is lost during COMMIT.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/postgres/database.ts'
import { sql } from '../../src/postgres/sql.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { createOf, entryOf, outcomeCode } from './entries.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const proxy = await startCommitProxy(florin.connection)
const { call } = await florin.startSecondServer({}, proxy.connection)

test('a COMMIT that returns ROLLBACK is not a success', async () => {
  const shop = await fixtures.shop()
  proxy.next('roll_back')
  const response = await fixtures.create(shop, {}, { call })
  assert.deepEqual([response.status, response.body.error], [500, 'internal_error'])
  assert.equal(await fixtures.count(shop), 0)
  assert.equal((await fixtures.create(shop, {}, { call })).status, 201, 'the next request succeeds')
})

test('a change with an ignored failed statement is not a success', async () => {
  const change = florin.db.transaction(async (tx) => {
    await tx.rows(sql`select 1 / 0`).catch(() => {})
    return 'done'
  })
  await assert.rejects(change, /ROLLBACK/)
})

test('a statement sent with COMMIT that fails is not a success', async () => {
  const change = florin.db.transaction(async (tx) => {
    tx.send(sql`select 1 / 0`)
    return 'done'
  })
  await assert.rejects(change, { code: '22012' })
})

for (const act of ['lose_commit_response', 'lose_all_responses', 'panic'] as const) {
  test(`the outcome of a COMMIT whose response is lost is looked up (${act})`, async () => {
    const shop = await fixtures.shop()
    proxy.next(act)
    const response = await fixtures.create(shop, {}, { call })
    assert.equal(response.status, 201, response.text)
    assert.equal(await fixtures.count(shop), 1)
    const { updated_at: _, ...found } = (await fixtures.get(shop, response.body.id)).body
    assert.deepEqual(response.body, found)
  })
}

test('a COMMIT that never arrived is retried, with one effect', async () => {
  const shop = await fixtures.shop()
  proxy.next('cut_before')
  const response = await fixtures.create(shop, {}, { call })
  assert.equal(response.status, 201, response.text)
  assert.equal(await fixtures.count(shop), 1)
  assert.equal((await fixtures.get(shop, response.body.id)).status, 200)
})

test('a lost connection is retried three times, then returns 503', async () => {
  const shop = await fixtures.shop()
  const cut = (times: number) => {
    for (; times > 0; times--) {
      proxy.next('cut_before')
      // The check of the outcome.
      proxy.next('pass')
    }
  }
  cut(3)
  assert.equal((await fixtures.create(shop, {}, { call })).status, 201)
  cut(4)
  const response = await fixtures.create(shop, {}, { call })
  assert.equal(response.status, 503, response.text)
  assert.ok(response.headers.get('retry-after'))
  assert.equal(await fixtures.count(shop), 1)
})

test('every entry of a batch whose COMMIT response was lost gets its result', async () => {
  const shop = await fixtures.shop(100)
  const db = openDatabase(proxy.connection)
  const lanes = new TransactionLanes(db)
  const refundAll = () =>
    [60, 60, 40].map((amount) =>
      outcomeCode(lanes.submit(entryOf(shop, createOf(shop, { type: 'refund', amount })))),
    )
  proxy.next('lose_commit_response')
  assert.deepEqual(await Promise.all(refundAll()), ['ok', 'insufficient_funds', 'ok'])
  assert.deepEqual(await fixtures.balance(shop), { available: 0, incoming: 0, held: 100 })
  await db.close()
})

test('the lookup of a lost COMMIT is repeated while it is in progress', async () => {
  const shop = await fixtures.shop()
  const commit = proxy.next('strand')
  const sent = fixtures.create(shop, {}, { call })
  await commit.seen
  // Long enough for several lookups, each of which finds the transaction in progress.
  await sleep(300)
  await commit.release()
  const response = await sent
  assert.equal(response.status, 201, response.text)
  assert.equal(await fixtures.count(shop), 1)
})

test('a COMMIT with an unknown outcome returns 503, and its key the outcome later', async () => {
  const shop = await fixtures.shop()
  const options = { call, headers: { 'idempotency-key': 'in doubt' } }
  const commit = proxy.next('strand')
  const response = await fixtures.create(shop, {}, options)
  assert.deepEqual([response.status, response.body.error], [503, 'unavailable'])
  assert.match(response.body.message, /Idempotency-Key/)
  assert.ok(response.headers.get('retry-after'))
  await commit.release()
  const again = await fixtures.create(shop, {}, options)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(await fixtures.count(shop), 1)
})
