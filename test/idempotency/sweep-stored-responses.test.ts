// All responses of a day expire at the same time, so they are deleted in slices.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepStoredResponses } from '../../src/idempotency/stored-responses.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { recordSlices } from '../support/record-slices.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})
const slices = await recordSlices(db.pool, 'idempotency_keys')

/** Adds responses that expire in this many days. */
async function addResponses(count: number, days: number): Promise<void> {
  await queryWithoutTimeout(
    db.pool,
    `insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
     select gen_random_uuid(), sha256(n::text::bytea), '',
       (now() at time zone 'UTC')::date + $2::int, 200, 'body'
     from generate_series(1, $1::int) as n`,
    [count, days],
  )
}

async function countByDays(): Promise<Record<string, number>> {
  const { rows } = await db.pool.query(
    `select retain_until - (now() at time zone 'UTC')::date as days, count(*)::int as n
     from idempotency_keys group by days order by days`,
  )
  return Object.fromEntries(rows.map(({ days, n }) => [days, n]))
}

test('deletes all expired responses in several short statements', async () => {
  await addResponses(4_321, -1)
  await addResponses(7, -40)
  await addResponses(5, 0)
  await addResponses(3, 30)
  assert.equal(await sweepStoredResponses(db), 4_328)
  assert.deepEqual(await countByDays(), { 0: 5, 30: 3 })
  const deleted = await slices()
  assert.ok(deleted.length > 4, `${deleted.length} statements`)
  assert.ok(Math.max(...deleted) <= 1_000, `${Math.max(...deleted)} rows in one statement`)
  assert.equal(await sweepStoredResponses(db), 0)
})

test('an aborted sweep ends after the current slice, and the next one continues', async () => {
  await addResponses(2_500, -1)
  const swept = await sweepStoredResponses(db, AbortSignal.abort())
  assert.deepEqual(await slices(), [swept])
  assert.ok(swept > 0 && swept < 2_500, `${swept} rows`)
  assert.equal(await sweepStoredResponses(db), 2_500 - swept)
  assert.deepEqual(await countByDays(), { 0: 5, 30: 3 })
})
