// The sweep deletes old deliveries and their attempts in slices, however many there are.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { firstUuidAt, newUuid } from '../../src/primitives/ids.ts'
import { sweepWebhooks } from '../../src/webhooks/outbox.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { recordSlices } from '../support/record-slices.ts'
import { until } from '../support/until.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})
const slices = await recordSlices(db.pool, 'webhook_deliveries')
const account_id = newUuid(Date.now())
const day_ms = 86_400_000

/** Inserts deliveries of this age, each with one earlier attempt. */
async function deliver(count: number, days: number, status = 'succeeded'): Promise<void> {
  const first = firstUuidAt(Date.now() - days * day_ms).slice(0, 24)
  await queryWithoutTimeout(
    db.pool,
    `with made as (
       insert into webhook_deliveries
         (account_id, id, endpoint_id, event_id, event_type, event_sequence, status, next_at)
       select $1::uuid, ($2 || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid, $1::uuid,
         'account.updated', n, $4, case when $4 = 'pending' then now() end
       from generate_series(1, $3::int) as n
       returning account_id, id
     )
     insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
     select account_id, id, now(), 'https://example.com', 1 from made`,
    [account_id, first, count, status],
  )
}

async function count(table: string): Promise<number> {
  return (await db.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
}

test('deletes deliveries older than 30 days with their attempts, except pending', async () => {
  await deliver(12_345, 31)
  await deliver(2, 32, 'pending')
  await deliver(3, 29)
  assert.equal(await sweepWebhooks(db), 12_345)
  assert.deepEqual([await count('webhook_deliveries'), await count('webhook_attempts')], [5, 5])
  const deleted = await slices()
  assert.ok(Math.max(...deleted) <= 1_000, `${Math.max(...deleted)} rows in one statement`)
  assert.equal(await sweepWebhooks(db), 0)
})

test('an aborted sweep stops after the current slice, and the next sweep continues', async () => {
  await deliver(2_500, 31)
  const swept = await sweepWebhooks(db, AbortSignal.abort())
  assert.deepEqual(await slices(), [swept])
  assert.ok(swept > 0 && swept < 2_500, `${swept} rows`)
  assert.equal(await sweepWebhooks(db), 2_500 - swept)
})

test('does not delete a delivery that a concurrent retry reopens', async () => {
  await deliver(1, 33)
  const retry = await db.pool.connect()
  await retry.query('begin')
  await retry.query(
    `update webhook_deliveries set status = 'pending', next_at = now() where status <> 'pending'
     and id < $1`,
    [firstUuidAt(Date.now() - 32.5 * day_ms)],
  )
  const sweeping = sweepWebhooks(db)
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await db.pool.query(waiting)).rowCount === 1)
  await retry.query('commit')
  retry.release()
  assert.equal(await sweeping, 0)
  assert.equal(await count('webhook_deliveries'), 6)
})
