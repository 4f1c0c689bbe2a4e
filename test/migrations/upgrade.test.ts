// Upgrades a database from every earlier schema: no row is lost, verify passes, and users can
// continue. The rows of the first schema were recorded when it was current. Those of the others are
// created by this version and reduced to the tables and columns of that schema.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Connection, openDatabase } from '../../src/postgres/database.ts'
import { appliedMigrations, knownMigrations, migrate } from '../../src/postgres/migrate.ts'
import type { Difference } from '../../src/primitives/difference.ts'
import { verifyDatabase } from '../../src/verification/verify-database.ts'
import { runToEnd } from '../commands/florin-process.ts'
import { toUrl } from '../commands/shared-database.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { dropDatabase, emptyDatabase } from '../support/postgres.ts'
import {
  findChanged,
  migrateSome,
  type Rows,
  readRows,
  withClient,
  writeRows,
} from './recorded-rows.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const migrations = knownMigrations()

/** What each earlier Florin could do, by the number of its newest migration. */
const activities: Record<string, (context: ActivityContext) => Promise<void>> = {
  '0003': async () => {},
  '0004': async ({ change }) => {
    const payment = await change('/v1/transactions', { ...money, type: 'payment' })
    await change(`/v1/transactions/${payment.body.id}/settle`, { outcome: 'succeeded' }, 'admin')
    const refund = { ...money, type: 'refund', amount: 20, reference: payment.body.id }
    await change('/v1/transactions', refund)
    const settled = await change('/v1/transactions', refund)
    await change(`/v1/transactions/${settled.body.id}/settle`, { outcome: 'succeeded' }, 'admin')
    await change('/v1/transactions', { ...money, type: 'credit', amount: 30 })
    await change('/v1/transactions', { ...money, type: 'payment' })
  },
  '0006': async ({ change }) => {
    const request = { ...money, customer_email: 'customer@example.com' }
    await change('/v1/payments', request)
    const paid = await change('/v1/payments', request)
    await change(`/v1/payments/${paid.body.id}/settle`, { outcome: 'succeeded' }, 'admin')
  },
  '0007': async ({ change }) => {
    const plan = { ...money, interval: 'month', customer_email: 'customer@example.com' }
    await change('/v1/subscriptions', plan)
  },
  '0008': async ({ change }) => {
    const endpoint = await change('/v1/webhook_endpoints', {
      url: 'https://example.com/hook',
      events: ['*'],
    })
    await change(`/v1/webhook_endpoints/${endpoint.body.id}/test`, {})
    await change('/v1/transactions', { ...money, type: 'payment' })
  },
  '0009': async ({ change }) => {
    await change('/v1/api_keys', { name: 'Shop', scopes: ['balance:read'] })
  },
}

const money = { amount: 50, currency: 'USD' }

interface ActivityContext {
  change(path: string, body: object, who?: 'admin'): Promise<ApiResponse>
}

const admin = await florin.people.admin()
/** All rows after the activity of each schema. */
const recorded = new Map<string, Rows>()
for (const [number, activity] of Object.entries(activities)) {
  const owner = await florin.people.owner()
  await activity({
    async change(path, body, who) {
      const token = who === 'admin' ? admin.token : owner.token
      const headers = {
        'idempotency-key': `${path} ${Math.random()}`,
        ...(who === 'admin' && { 'florin-account': owner.account_id }),
      }
      const whole = /^\/v1\/(transactions|payments)$/.test(path)
        ? { account_id: owner.account_id, ...body }
        : body
      const response = await florin.call('POST', path, { token, body: whole, headers })
      assert.ok(response.status < 300, `${path}: ${response.text}`)
      return response
    },
  })
  recorded.set(number, await withClient(florin.connection, readRows))
}

// Before 0009 the end of an event's id was random, and deliveries referred to it.
function withOldEventIds(rows: Rows): Rows {
  const ends = new Map<string, string>()
  const older = (id: string) => {
    const end = ends.get(id) ?? Math.random().toString(16).slice(2, 12).padEnd(10, '0')
    ends.set(id, end)
    return id.slice(0, -10) + end
  }
  const rewrite = (table: string, column: string) =>
    (rows.get(table) ?? []).map((row) => ({ ...row, [column]: older(Reflect.get(row, column)) }))
  return new Map(rows)
    .set('events', rewrite('events', 'id'))
    .set('webhook_deliveries', rewrite('webhook_deliveries', 'event_id'))
}

// Before 0022 every token had the account and role of its session.
function withOldTokens(rows: Rows): Rows {
  const sessions = new Map((rows.get('sessions') ?? []).map((row) => [Reflect.get(row, 'id'), row]))
  const tokens = (rows.get('tokens') ?? []).map((row) => {
    const session = sessions.get(Reflect.get(row, 'principal_id'))
    if (session === undefined) return row
    const [account_id, role] = ['account_id', 'role'].map((name) => Reflect.get(session, name))
    return { ...row, account_id, role }
  })
  return new Map(rows).set('tokens', tokens)
}

async function assertUpgraded(connection: Connection, before: Rows): Promise<void> {
  await migrate(connection, 'sandbox')
  const after = await withClient(connection, readRows)
  assert.deepEqual(findChanged(before, after), [])
  const db = openDatabase(connection, { no_timeouts: true })
  const found: Difference[] = []
  try {
    await verifyDatabase(db, { onDifference: (one) => found.push(one) })
  } finally {
    await db.close()
  }
  assert.deepEqual(found, [])
}

for (const [at, name] of migrations.entries()) {
  test(`a database as of ${name} is upgraded and verifies`, async (t) => {
    const number = name.slice(0, 4)
    const latest = [...recorded.keys()].findLast((version) => version <= number)
    const { connection, name: database } = await emptyDatabase()
    t.after(() => dropDatabase(database))
    const before = await withClient(connection, async (client) => {
      await migrateSome(client, at + 1)
      assert.equal((await appliedMigrations(client)).length, at + 1)
      // The first three migrations were released together: no database with fewer has any rows.
      const rows: Rows = latest === undefined ? new Map() : recorded.get(latest)!
      const old = number < '0022' ? withOldTokens(rows) : rows
      await writeRows(client, number < '0009' ? withOldEventIds(old) : old)
      return readRows(client)
    })
    if (latest !== undefined) assert.ok(before.get('accounts')!.length > 0)
    if (number >= '0004') assert.ok(before.get('postings')!.length >= 4)
    await assertUpgraded(connection, before)
  })
}

test('a database of the first schema is upgraded and remains usable', async (t) => {
  const { connection, name } = await emptyDatabase()
  t.after(() => dropDatabase(name))
  const before = await withClient(connection, async (client) => {
    await migrateSome(client, 3)
    await client.query(readFileSync(new URL('first-schema.sql', import.meta.url), 'utf8'))
    return readRows(client)
  })
  const env = { DATABASE_URL: toUrl(connection, name) }
  const migrated = await runToEnd(['migrate'], { env })
  assert.equal(migrated.code, 0, migrated.stderr)
  const verified = await runToEnd(['verify'], { env })
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  await assertUpgraded(connection, before)
  const upgraded = await florin.startSecondServer({}, connection)
  const body = { email: 'ann@acme.example', password: 'correct horse battery' }
  const login = await upgraded.call('POST', '/v1/auth/login', { body })
  assert.equal(login.status, 200, login.text)
  const token = login.body.access_token
  const { id } = (await upgraded.call('GET', '/v1/account', { token })).body
  const payment = { account_id: id, amount: 500, currency: 'EUR', type: 'payment' }
  const created = await upgraded.call('POST', '/v1/transactions', { token, body: payment })
  assert.equal(created.status, 201, created.text)
})

test('0020 counts the attempts of deliveries that were resent before it', async (t) => {
  const { connection, name: database } = await emptyDatabase()
  t.after(() => dropDatabase(database))
  const before = migrations.findIndex((name) => name.startsWith('0020'))
  await withClient(connection, async (client) => {
    await migrateSome(client, before)
    // By the last digit: one attempt; resent and waiting; resent and delivered; canceled after two;
    // two, with the third in progress; resent while in progress.
    await client.query(`
      insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
        status, attempts, next_at, lease_id, tried_at)
      select one.account_id, it.id::uuid, one.account_id, one.account_id, 'x', 'x', it.status,
        it.attempts, it.next_at, it.lease_id::uuid, it.tried_at
      from (select '00000000-0000-7000-8000-000000000000'::uuid as account_id) as one,
        (values
          ('00000000-0000-7000-8000-000000000001', 'succeeded', 1, null, null, timestamptz 'epoch'),
          ('00000000-0000-7000-8000-000000000002', 'pending', 0, now(), null, 'epoch'),
          ('00000000-0000-7000-8000-000000000003', 'succeeded', 1, null, null, 'epoch'),
          ('00000000-0000-7000-8000-000000000004', 'canceled', 2, null, null, 'epoch'),
          ('00000000-0000-7000-8000-000000000005', 'pending', 3, now(),
            '00000000-0000-7000-8000-000000000000', 'epoch'),
          ('00000000-0000-7000-8000-000000000006', 'pending', 1, now(),
            '00000000-0000-7000-8000-000000000000', 'epoch'))
        as it (id, status, attempts, next_at, lease_id, tried_at)`)
    await client.query(`
      insert into webhook_attempts (account_id, delivery_id, tried_at, url, duration_ms)
      select '00000000-0000-7000-8000-000000000000', delivery_id::uuid,
        timestamptz 'epoch' - n * interval '1 minute', 'https://example.com/', 1
      from (values
        ('00000000-0000-7000-8000-000000000003', 1), ('00000000-0000-7000-8000-000000000003', 2),
        ('00000000-0000-7000-8000-000000000004', 0), ('00000000-0000-7000-8000-000000000004', 1),
        ('00000000-0000-7000-8000-000000000005', 1)) as it (delivery_id, n)`)
  })
  await migrate(connection, 'sandbox')
  const { rows } = await withClient(connection, (client) =>
    client.query(`
      select right(id::text, 1) as id,
        earlier_attempts + attempts - (lease_id is not null)::integer as attempts
      from webhook_deliveries
      order by id`),
  )
  assert.deepEqual(
    rows.map(({ attempts }) => attempts),
    [1, 1, 3, 2, 2, 1],
  )
})
