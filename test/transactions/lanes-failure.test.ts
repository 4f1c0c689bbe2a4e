// How a failed batch is handled: a data error fails one entry, a serialization failure or deadlock
// retries the batch, and an outage fails all entries without bisection.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import { createOf, entryOf, outcomeCode } from './entries.ts'
import { countFaults, failing, installFaults } from './faults.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
  waitForWaiters,
} from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
await installFaults(florin.db.pool)
const { pool } = florin.db

/** One batch of eight creations, one of which fails. */
async function submitEight(shop: Shop, reference: string, at = 5): Promise<string[]> {
  const lanes = new TransactionLanes(florin.db)
  const sent = Array.from({ length: 8 }, (_, number) => {
    const command = createOf(shop, { reference: number === at ? reference : `good ${number}` })
    return outcomeCode(lanes.submit(entryOf(shop, command)))
  })
  return Promise.all(sent)
}

const all = (outcome: string) => Array.from({ length: 8 }, () => outcome)

for (const when of ['fail', 'late'] as const) {
  const moment = when === 'late' ? 'at COMMIT' : 'immediately'

  for (const state of ['23514', '23505', '22003', '22P05']) {
    test(`a data error (${state}, ${moment}) fails only its entry`, async () => {
      for (const at of [0, 5, 7]) {
        const shop = await fixtures.shop()
        const expected = all('ok')
        expected[at] = state
        assert.deepEqual(await submitEight(shop, failing(state, 1_000, when), at), expected)
        assert.equal(await fixtures.count(shop), 7)
      }
      await countFaults(pool)
    })
  }

  for (const state of ['40001', '40P01']) {
    test(`a conflict (${state}, ${moment}) retries the whole batch three times`, async () => {
      const shop = await fixtures.shop()
      await countFaults(pool)
      assert.deepEqual(await submitEight(shop, failing(state, 3, when)), all('ok'))
      assert.equal(await countFaults(pool), 4)
      assert.equal(await fixtures.count(shop), 8)
      assert.deepEqual(await submitEight(shop, failing(state, 4, when)), all('unavailable'))
      assert.equal(await countFaults(pool), 4)
      assert.equal(await fixtures.count(shop), 8)
    })
  }

  for (const state of ['08006', '53100', '53200', '57014', '58030', '55P03']) {
    test(`an outage (${state}, ${moment}) fails all entries without a retry`, async () => {
      const shop = await fixtures.shop()
      await countFaults(pool)
      assert.deepEqual(await submitEight(shop, failing(state, 1_000, when)), all('unavailable'))
      assert.equal(await countFaults(pool), 1)
      assert.equal(await fixtures.count(shop), 0)
    })
  }
}

test('an outage after a data error keeps the entries that were committed', async () => {
  const shop = await fixtures.shop()
  await countFaults(pool)
  const lanes = new TransactionLanes(florin.db)
  const faults: Record<number, string> = { 0: failing('23514'), 2: failing('53100') }
  const sent = Array.from({ length: 8 }, (_, at) => {
    const command = createOf(shop, { reference: faults[at] ?? `good ${at}` })
    return outcomeCode(lanes.submit(entryOf(shop, command)))
  })
  const expected = ['23514', 'ok', ...Array.from({ length: 6 }, () => 'unavailable')]
  assert.deepEqual(await Promise.all(sent), expected)
  assert.equal(await fixtures.count(shop), 1)
  // The whole batch, its first half, that one's first half, the bad entry, and one outage.
  assert.equal(await countFaults(pool), 5)
})

test('over HTTP, a data error is 500 and an outage is 503 with Retry-After', async () => {
  const shop = await fixtures.shop()
  const data_error = await fixtures.create(shop, { reference: failing('23514') })
  assert.deepEqual([data_error.status, data_error.body.error], [500, 'internal_error'])
  assert.doesNotMatch(data_error.text, /on demand|23514/)
  const outage = await fixtures.create(shop, { reference: failing('57014') })
  assert.deepEqual([outage.status, outage.body.error], [503, 'unavailable'])
  assert.equal(outage.headers.get('retry-after'), '1')
  assert.equal(await fixtures.count(shop), 0)
})

test('a terminated session fails its batch with 503, and the next batch succeeds', async () => {
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const lanes = new TransactionLanes(florin.db)
  const sent = [1, 2].map(() => outcomeCode(lanes.submit(entryOf(shop, createOf(shop)))))
  await waitForWaiters(florin)
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  assert.deepEqual(await Promise.all(sent), ['unavailable', 'unavailable'])
  await release()
  await lanes.submit(entryOf(shop, createOf(shop)))
  assert.equal(await fixtures.count(shop), 1)
})

test('a batch retries after a real deadlock', async () => {
  const first = await fixtures.shop()
  const second = await fixtures.shop()
  const client = new pg.Client({ ...florin.connection })
  await client.connect()
  const lock = 'select 1 from balances where account_id = $1 for update'
  // A long timeout, so that the batch is the one that detects the deadlock and is aborted.
  await client.query("set deadlock_timeout = '1min'")
  await client.query('begin')
  await client.query(lock, [second.uuid])
  const lanes = new TransactionLanes(florin.db)
  const sent = [first, second].map((shop) => lanes.submit(entryOf(shop, createOf(shop))))
  await waitForWaiters(florin)
  await client.query(lock, [first.uuid])
  await client.query('commit')
  await client.end()
  await Promise.all(sent)
  assert.deepEqual([await fixtures.count(first), await fixtures.count(second)], [1, 1])
})

test('a lock timeout returns 503 and writes nothing', async () => {
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const response = await fixtures.create(shop)
  assert.deepEqual([response.status, response.body.error], [503, 'unavailable'])
  assert.equal(response.headers.get('retry-after'), '1')
  await release()
  assert.equal(await fixtures.count(shop), 0)
  assert.equal((await fixtures.create(shop)).status, 201)
})

test('the first failure of a flush is reported, not the ones that follow from it', async () => {
  const shop = await fixtures.shop()
  const client = new pg.Client({ ...florin.connection })
  await client.connect()
  await client.query('begin')
  await client.query('lock table clock')
  const lanes = new TransactionLanes(florin.db)
  const sent = lanes.submit(entryOf(shop, createOf(shop)))
  assert.equal(await outcomeCode(sent), 'unavailable')
  await client.end()
})

test('every session has lock, statement and idle-in-transaction timeouts', async () => {
  const limits = await pool.query(`select name, setting from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')
    order by name`)
  assert.deepEqual(
    limits.rows.map((row) => `${row.name} ${row.setting}`),
    ['idle_in_transaction_session_timeout 5000', 'lock_timeout 3000', 'statement_timeout 5000'],
  )
})
