// After days without a worker, many rows may have expired. They are deleted in short statements,
// and a worker that stops leaves the rest to the next round.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepEmailChanges } from '../../src/accounts/email-change.ts'
import { sweepDashboardSessions } from '../../src/dashboard/cookie-session.ts'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { sweepThrottle } from '../../src/identity/login/login-throttle.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { firstUuidAt } from '../../src/primitives/ids.ts'
import { sweepRequestLog } from '../../src/request-log/request-log.ts'
import { addBareAccounts } from '../support/bare-accounts.ts'
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

interface SweepCase {
  table: string
  sweep: (db: Db, signal?: AbortSignal) => Promise<number>
  /** Inserts $1 rows that expire in $2 hours. */
  fill: string
}

const ends = "now() + $2::int * interval '1 hour'"
const hash = "sha256((n || ' in ' || $2)::bytea)"
const rows = 'generate_series(1, $1::int) as n'

const cases: SweepCase[] = [
  {
    table: 'login_failures',
    sweep: sweepThrottle,
    fill: `insert into login_failures (key_hash, failed_at, retain_until)
      select ${hash}, '{}', ${ends} from ${rows}`,
  },
  {
    table: 'login_addresses',
    sweep: sweepThrottle,
    fill: `insert into login_addresses (key_hash, retain_until)
      select ${hash}, ${ends} from ${rows}`,
  },
  {
    table: 'dashboard_sessions',
    sweep: sweepDashboardSessions,
    fill: `insert into dashboard_sessions (cookie_hash, sealed_tokens, expires_at)
      select ${hash}, '', ${ends} from ${rows}`,
  },
  {
    table: 'email_changes',
    sweep: sweepEmailChanges,
    fill: `insert into email_changes
        (account_id, email, token_hash, password_fingerprint, expires_at)
      select gen_random_uuid(), 'new@example.com', ${hash}, '', ${ends} from ${rows}`,
  },
]

async function count(table: string): Promise<number> {
  return (await db.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
}

for (const { table, sweep, fill } of cases) {
  test(`deletes only expired rows of ${table}, in short statements`, async () => {
    const slices = await recordSlices(db.pool, table)
    await db.pool.query(fill, [2_345, -1])
    await db.pool.query(fill, [4, 1])
    const swept = await sweep(db, AbortSignal.abort())
    assert.deepEqual(await slices(), [swept], 'a stopping worker ends after the current slice')
    assert.ok(swept > 0 && swept <= 1_000, `${swept} rows in one statement`)
    assert.equal(await sweep(db), 2_345 - swept)
    assert.ok(Math.max(...(await slices())) <= 1_000)
    assert.equal(await count(table), 4)
    assert.equal(await sweep(db), 0)
  })
}

// Accounts are read in pages of 1,000, and 10 rows of each are deleted at once: so there is more
// than one page, and more than one slice of the first account.
const accounts_count = 1_200
const old_of_first = 50

await addBareAccounts(
  db.pool,
  Array.from({ length: accounts_count }, (_, at) => (at + 1).toString(16).padStart(32, '0')),
)

test('a stopping worker leaves old events to the next round', async () => {
  const slices = await recordSlices(db.pool, 'events')
  await queryWithoutTimeout(
    db.pool,
    `insert into events (account_id, sequence, id, type, object_id, at, data)
     select account_id, n, gen_random_uuid(), 'account.updated', account_id,
       now() - interval '100 days', '{}'
     from (select m, lpad(to_hex(m), 32, '0')::uuid as account_id
       from generate_series(1, $1::int) as m) as created,
       generate_series(1, case when m = 1 then $2::int else 1 end) as n`,
    [accounts_count, old_of_first],
  )
  const swept = await sweepEvents(db, AbortSignal.abort())
  assert.deepEqual(await slices(), [swept])
  assert.ok(swept > 0 && swept < accounts_count, `${swept} rows`)
  assert.equal(await sweepEvents(db), accounts_count + old_of_first - 1 - swept)
  assert.equal(await count('events'), 0)
})

test('a stopping worker leaves old request log entries to the next round', async () => {
  const slices = await recordSlices(db.pool, 'request_logs')
  const first = firstUuidAt(Date.now() - 8 * 86_400_000).slice(0, 24)
  await queryWithoutTimeout(
    db.pool,
    `insert into request_logs (account_id, entry_id, id, method, path, status,
       duration_ms, caller_kind, caller_id, has_idempotency_key)
     select account_id, ($3 || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), 'GET', '/', 200,
       1, 'user', account_id, false
     from (select m, lpad(to_hex(m), 32, '0')::uuid as account_id
       from generate_series(1, $1::int) as m) as created,
       generate_series(1, case when m = 1 then $2::int else 1 end) as n`,
    [accounts_count, old_of_first, first],
  )
  const swept = await sweepRequestLog(db, AbortSignal.abort())
  assert.deepEqual(await slices(), [swept])
  assert.ok(swept > 0 && swept < accounts_count, `${swept} rows`)
  assert.equal(await sweepRequestLog(db), accounts_count + old_of_first - 1 - swept)
  assert.equal(await count('request_logs'), 0)
})
