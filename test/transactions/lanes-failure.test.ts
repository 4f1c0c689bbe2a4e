// HOUSE.md §2: whose fault a failure is. Data may be one entry's; a lost race is nobody's; trouble
// of the database is everybody's, and never tried item by item.

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
const till = await openTransactionFixtures(florin)
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

const all = (word: string) => Array.from({ length: 8 }, () => word)

for (const when of ['fail', 'late'] as const) {
  const moment = when === 'late' ? 'at COMMIT' : 'at once'

  for (const state of ['23514', '23505', '22003', '22P05']) {
    test(`data at fault (${state}, ${moment}) fails alone, its batch goes on`, async () => {
      for (const at of [0, 5, 7]) {
        const shop = await till.shop()
        const expected = all('ok')
        expected[at] = state
        assert.deepEqual(await submitEight(shop, failing(state, 1_000, when), at), expected)
        assert.equal(await till.count(shop), 7)
      }
      await countFaults(pool)
    })
  }

  for (const state of ['40001', '40P01']) {
    test(`a lost race (${state}, ${moment}) runs the whole batch again, three times`, async () => {
      const shop = await till.shop()
      await countFaults(pool)
      assert.deepEqual(await submitEight(shop, failing(state, 3, when)), all('ok'))
      assert.equal(await countFaults(pool), 4)
      assert.equal(await till.count(shop), 8)
      assert.deepEqual(await submitEight(shop, failing(state, 4, when)), all('unavailable'))
      assert.equal(await countFaults(pool), 4)
      assert.equal(await till.count(shop), 8)
    })
  }

  for (const state of ['08006', '53100', '53200', '57014', '58030', '55P03']) {
    test(`trouble of the database (${state}, ${moment}) is for all, tried once`, async () => {
      const shop = await till.shop()
      await countFaults(pool)
      assert.deepEqual(await submitEight(shop, failing(state, 1_000, when)), all('unavailable'))
      assert.equal(await countFaults(pool), 1)
      assert.equal(await till.count(shop), 0)
    })
  }
}

test('trouble behind data at fault leaves what has been made made', async () => {
  const shop = await till.shop()
  await countFaults(pool)
  const lanes = new TransactionLanes(florin.db)
  const faults: Record<number, string> = { 0: failing('23514'), 2: failing('53100') }
  const sent = Array.from({ length: 8 }, (_, at) => {
    const command = createOf(shop, { reference: faults[at] ?? `good ${at}` })
    return outcomeCode(lanes.submit(entryOf(shop, command)))
  })
  const words = ['23514', 'ok', ...Array.from({ length: 6 }, () => 'unavailable')]
  assert.deepEqual(await Promise.all(sent), words)
  assert.equal(await till.count(shop), 1)
  // The whole batch, its first half, that one's first half, the one at fault, and the trouble once.
  assert.equal(await countFaults(pool), 5)
})

test('over HTTP data at fault is 500, trouble is 503 with Retry-After', async () => {
  const shop = await till.shop()
  const mine = await till.create(shop, { reference: failing('23514') })
  assert.deepEqual([mine.status, mine.body.error], [500, 'internal_error'])
  assert.doesNotMatch(mine.text, /as told|23514/)
  const theirs = await till.create(shop, { reference: failing('57014') })
  assert.deepEqual([theirs.status, theirs.body.error], [503, 'unavailable'])
  assert.equal(theirs.headers.get('retry-after'), '1')
  assert.equal(await till.count(shop), 0)
})

test('a session that the server ends is 503 for all, and the next batch is served', async () => {
  const shop = await till.shop()
  const release = await holdLock(florin, shop)
  const lanes = new TransactionLanes(florin.db)
  const sent = [1, 2].map(() => outcomeCode(lanes.submit(entryOf(shop, createOf(shop)))))
  await waitForWaiters(florin)
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  assert.deepEqual(await Promise.all(sent), ['unavailable', 'unavailable'])
  await release()
  await lanes.submit(entryOf(shop, createOf(shop)))
  assert.equal(await till.count(shop), 1)
})

test('a real deadlock with somebody who locks in another order is run again', async () => {
  const first = await till.shop()
  const second = await till.shop()
  const rude = new pg.Client({ ...florin.connection })
  await rude.connect()
  const lock = 'select 1 from balances where account_id = $1 for update'
  // It does not look for deadlocks itself, so it is the batch that notices and gives way.
  await rude.query("set deadlock_timeout = '1min'")
  await rude.query('begin')
  await rude.query(lock, [second.uuid])
  const lanes = new TransactionLanes(florin.db)
  const sent = [first, second].map((shop) => lanes.submit(entryOf(shop, createOf(shop))))
  await waitForWaiters(florin)
  await rude.query(lock, [first.uuid])
  await rude.query('commit')
  await rude.end()
  await Promise.all(sent)
  assert.deepEqual([await till.count(first), await till.count(second)], [1, 1])
})

test('a lock that is not had in time is 503, and nothing is written', async () => {
  const shop = await till.shop()
  const release = await holdLock(florin, shop)
  const response = await till.create(shop)
  assert.deepEqual([response.status, response.body.error], [503, 'unavailable'])
  assert.equal(response.headers.get('retry-after'), '1')
  await release()
  assert.equal(await till.count(shop), 0)
  assert.equal((await till.create(shop)).status, 201)
})

test('what failed first is told, and not that the others failed behind it', async () => {
  const shop = await till.shop()
  const rude = new pg.Client({ ...florin.connection })
  await rude.connect()
  await rude.query('begin')
  await rude.query('lock table clock')
  const lanes = new TransactionLanes(florin.db)
  const sent = lanes.submit(entryOf(shop, createOf(shop)))
  assert.equal(await outcomeCode(sent), 'unavailable')
  await rude.end()
})

test('locks, statements and pauses inside a change have limits in every session', async () => {
  const limits = await pool.query(`select name, setting from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')
    order by name`)
  assert.deepEqual(
    limits.rows.map((row) => `${row.name} ${row.setting}`),
    ['idle_in_transaction_session_timeout 5000', 'lock_timeout 3000', 'statement_timeout 5000'],
  )
})
