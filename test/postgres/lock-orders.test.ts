// Statements that lock several rows lock them in one order, which prevents deadlocks: while such a
// statement waits for the first row, it holds none of the others. Here the rows are stored in the
// reverse order, and index scans are disabled.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { updateLastUses } from '../../src/identity/api-keys/queries.ts'
import { lockSessionsOfUser } from '../../src/identity/sessions/queries.ts'
import { releaseLeasesExcept, takeLeases } from '../../src/jobs/queries.ts'
import { type Db, openDatabase, type Tx } from '../../src/postgres/database.ts'
import { cancelDeliveries, endEndpoints } from '../../src/webhooks/queries.ts'
import {
  lockEndpointFailures,
  makeDeliveriesDue,
  releaseClaimed,
  sendDeliveryLocks,
} from '../../src/webhooks/sending/queries.ts'
import { cloneDatabase, disableIndexScans, dropDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const { connection, name } = await cloneDatabase()
const holder = new pg.Client(connection)
await holder.connect()
await disableIndexScans(holder)
const db = openDatabase(connection)
after(async () => {
  await holder.end()
  await db.close()
  await dropDatabase(name)
})

const [first, second] = [uuidOf('1'), uuidOf('2')]
const [account, user, endpoint, lease] = ['a', 'b', 'c', 'd'].map(uuidOf)
const backwards = [second, first]
const names = backwards.map((id) => ({ account_id: account!, id }))

function uuidOf(digit: string): string {
  return `0190000${digit}-0000-7000-8000-000000000000`
}

const keys = backwards.map(
  (id) => `insert into api_keys (id, account_id, user_id, role, name, scopes, last4)
    values ('${id}', '${account}', '${user}', 'account_key', 'A key', '{}', 'abcd')`,
)
const endpoints = backwards.map(
  (id) => `insert into webhook_endpoints (account_id, id, url, events, status, secret,
      event_sequence, updated_at)
    values ('${account}', '${id}', 'https://example.com', '{*}', 'enabled', 'x', 0, now())`,
)
const deliveriesWith = (lease_id: string) =>
  backwards.map(
    (id) => `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
        test_body, status, next_at, lease_id)
      values ('${account}', '${id}', '${endpoint}', '${id}', 'test', '{}', 'pending',
        now() + interval '1 hour', ${lease_id})`,
  )
const leases = [2, 1].map(
  (slot) => `insert into leases (name, slot, holder, held_until)
    values ('a_job', ${slot}, '${lease}', now() - interval '1 hour')`,
)
const sessions = backwards.map(
  (id) => `insert into sessions (id, user_id, role, ends_at, refreshed_at, address)
    values ('${id}', '${user}', 'owner', now() + interval '1 hour', now(), '')`,
)

interface Case {
  table: string
  rows: string[]
  /** The column that defines the lock order. */
  by: string
  lock(tx: Tx, db: Db): unknown
}

const delivery = { table: 'webhook_deliveries', rows: deliveriesWith('null'), by: 'id' }
const claimed = { ...delivery, rows: deliveriesWith(`'${lease}'`) }
const slots = [2, 1].map((slot) => ({ name: 'a_job', slot }))
const hold = { holder: lease!, for_ms: 1_000 }
const endpoint_key = { account_id: account!, id: endpoint! }

const cases: Record<string, Case> = {
  'used API keys': {
    table: 'api_keys',
    rows: keys,
    by: 'id',
    lock: (tx) =>
      updateLastUses(
        tx,
        backwards.map((id) => ({ id, at: new Date() })),
      ),
  },
  'endpoints of a closed account': {
    table: 'webhook_endpoints',
    rows: endpoints,
    by: 'id',
    lock: (tx) => endEndpoints(tx, account!, 1),
  },
  'failing endpoints': {
    table: 'webhook_endpoints',
    rows: endpoints,
    by: 'id',
    lock: (tx) => lockEndpointFailures(tx, names),
  },
  'completed deliveries': { ...delivery, lock: (tx) => sendDeliveryLocks(tx, names) },
  'canceled deliveries': { ...delivery, lock: (tx) => cancelDeliveries(tx, endpoint_key, 'x') },
  'deliveries made due': { ...delivery, lock: (tx) => makeDeliveriesDue(tx, endpoint_key) },
  'released deliveries': {
    ...claimed,
    lock: (tx) =>
      releaseClaimed(
        tx,
        names.map((one) => ({ ...one, lease_id: lease! })),
      ),
  },
  'taken leases': {
    table: 'leases',
    rows: leases,
    by: 'slot',
    lock: (_, pool) => takeLeases(pool, slots, hold),
  },
  'dropped leases': {
    table: 'leases',
    rows: leases,
    by: 'slot',
    lock: (_, pool) => releaseLeasesExcept(pool, lease!, []),
  },
  'sessions of a user': {
    table: 'sessions',
    rows: sessions,
    by: 'id',
    lock: (tx) => lockSessionsOfUser(tx, user!),
  },
}

for (const [what, { table, rows, by, lock }] of Object.entries(cases)) {
  test(`locks ${what} in order`, async () => {
    for (const row of rows) await db.pool.query(row)
    const [low, high] = (await db.pool.query(`select ${by} as key from ${table} order by 1`)).rows
    await holder.query('begin')
    await holder.query(`select 1 from ${table} where ${by} = $1 for update`, [low.key])
    const locking = db.transaction(async (tx) => void (await lock(tx, db)))
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await holder.query(waiting)).rowCount === 1)
    const free = `select 1 from ${table} where ${by} = $1 for update skip locked`
    const { rowCount } = await db.pool.query(free, [high.key])
    await holder.query('rollback')
    await locking
    assert.equal(rowCount, 1, 'it holds no later row while it waits for the first')
    await db.pool.query(`delete from ${table}`)
  })
}
