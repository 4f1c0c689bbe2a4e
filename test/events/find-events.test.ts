// The last event before a time: exact if many events share a millisecond, and found with few
// lookups, because a replay searches while it holds the account lock.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findSequenceBefore } from '../../src/events/find-events.ts'
import { openDatabase, type Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

const start_ms = Date.UTC(2026, 0, 1)
const in_one_ms = 7
const account_id = newUuid(start_ms)
const other_account_id = newUuid(start_ms)

async function fill(owner_id: string, first: number, last: number): Promise<void> {
  await queryWithoutTimeout(
    db.pool,
    `insert into events (account_id, sequence, id, type, object_id, at, data)
     select $1, n, gen_random_uuid(), 'account.updated', $1,
       $2::timestamptz + (n / ${in_one_ms}) * interval '1 millisecond', '{}'
     from generate_series($3::integer, $4::integer) as n`,
    [owner_id, new Date(start_ms), first, last],
  )
}

/** How many buffer pages the statement touches. */
async function buffersOf(read: (recorder: Queryable) => Promise<unknown>): Promise<number> {
  let buffers = Number.NaN
  const row = async (statement: Sql) => {
    const text = `explain (analyze, buffers, format json) ${statement.text}`
    const { rows } = await db.pool.query(text, statement.values)
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return undefined
  }
  await read({ row: row as Queryable['row'], rows: undefined!, count: undefined! })
  return buffers
}

test('finds the last event before a time, also if none or all are earlier', async () => {
  const [first, last] = [30, 60]
  await fill(other_account_id, first, last)
  const sequences = Array.from({ length: last - first + 1 }, (_, n) => n + first)
  for (let ms = 0; ms <= last / in_one_ms + 2; ms++) {
    const at = new Date(start_ms + ms)
    const found = await findSequenceBefore(db, other_account_id, at)
    const earlier = sequences.filter((sequence) => Math.floor(sequence / in_one_ms) < ms)
    // Earlier events are pruned: the result is the number before the first retained one.
    assert.equal(found, earlier.at(-1) ?? first - 1, at.toISOString())
  }
  assert.equal(await findSequenceBefore(db, newUuid(start_ms), new Date()), 0)
})

test('finds an old time among many events with few lookups', async () => {
  const count = 50_000
  await fill(account_id, 1, count)
  await db.pool.query('analyze events')
  for (const share of [0, 0.01, 0.5, 0.99, 1]) {
    const at = new Date(start_ms + Math.floor((count * share) / in_one_ms))
    const buffers = await buffersOf((recorder) => findSequenceBefore(recorder, account_id, at))
    // Binary search takes about 17 steps, each with three index levels and the row.
    assert.ok(buffers < 17 * 4 + 20, `${buffers} pages at ${share}`)
  }
})
