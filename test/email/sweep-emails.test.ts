// The sweep deletes old emails and inbox counts in slices, however many there are.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disableEmailDelivery, sweepEmails } from '../../src/email/outbox.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { firstUuidAt, newUuid } from '../../src/primitives/ids.ts'
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
const emailSlices = await recordSlices(db.pool, 'emails')
const countSlices = await recordSlices(db.pool, 'inbox_counts')
const account_id = newUuid(Date.now())
const day_ms = 86_400_000

async function write(count: number, days: number, state = 'stored'): Promise<void> {
  const first = firstUuidAt(Date.now() - days * day_ms).slice(0, 24)
  await queryWithoutTimeout(
    db.pool,
    `insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
     select $1::uuid, $2 || n, ($2 || lpad(to_hex(n), 12, '0'))::uuid, $4, 'payment_receipt',
       'customer@example.com', '{}', case when $4 = 'queued' then now() end
     from generate_series(1, $3::int) as n`,
    [account_id, first, count, state],
  )
}

async function countInboxes(count: number, days: number): Promise<void> {
  await queryWithoutTimeout(
    db.pool,
    `insert into inbox_counts (key_hash, sent_at, retain_until)
     select sha256((n || ' in ' || $2)::bytea), '{}', now() + $2::int * interval '1 day'
     from generate_series(1, $1::int) as n`,
    [count, days],
  )
}

async function count(table: string): Promise<number> {
  return (await db.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
}

test('deletes all emails older than 90 days in one round, except queued ones', async () => {
  await write(12_345, 91)
  await write(2, 92, 'queued')
  await write(3, 89)
  assert.equal(await sweepEmails(db), 12_345)
  assert.equal(await count('emails'), 5)
  const deleted = await emailSlices()
  assert.ok(Math.max(...deleted) <= 1_000, `${Math.max(...deleted)} rows in one statement`)
  assert.equal(await sweepEmails(db), 0)
})

test('a sandbox clock that jumps ahead deletes no emails', async () => {
  const before = await count('emails')
  await db.pool.query('update clock set offset_ms = 100 * 86400000::bigint')
  assert.equal(await sweepEmails(db), 0)
  assert.equal(await count('emails'), before)
  await db.pool.query('update clock set offset_ms = 0')
})

test('deletes expired inbox counts in slices', async () => {
  await countInboxes(2_345, -1)
  await countInboxes(4, 1)
  assert.equal(await sweepEmails(db), 2_345)
  assert.equal(await count('inbox_counts'), 4)
  const deleted = await countSlices()
  assert.ok(Math.max(...deleted) <= 1_000, `${Math.max(...deleted)} rows in one statement`)
})

test('an aborted sweep stops after the current slice, and the next sweep continues', async () => {
  await write(2_500, 91)
  const swept = await sweepEmails(db, AbortSignal.abort())
  assert.deepEqual(await emailSlices(), [swept])
  assert.ok(swept > 0 && swept < 2_500, `${swept} rows`)
  assert.equal(await sweepEmails(db), 2_500 - swept)
})

test('disabling delivery stores queued emails in slices', async () => {
  await write(2_345, 1, 'queued')
  const slices = await recordSlices(db.pool, 'emails', 'update')
  const stored = await disableEmailDelivery(db)
  const updated = await slices()
  assert.ok(stored >= 2_345, `${stored} emails`)
  assert.ok(Math.max(...updated) <= 1_000, `${Math.max(...updated)} rows in one statement`)
  const waiting = await db.pool.query("select 1 from emails where state = 'queued'")
  assert.equal(waiting.rowCount, 0)
})
