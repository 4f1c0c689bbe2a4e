// Florin on a Citus cluster: distribution of the tables, and sessions.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkDatabase } from '../../src/cli/serve/check-database.ts'
import { readConfig } from '../../src/config.ts'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { connectClient } from '../../src/postgres/connect.ts'
import type { Connection } from '../../src/postgres/database.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { findCluster } from '../../src/postgres/distribute.ts'
import { distribute, knownMigrations, migrate } from '../../src/postgres/migrate.ts'
import { readMigrations } from '../../src/postgres/migration-files.ts'
import { createIndexOnline } from '../../src/postgres/online-index.ts'
import { sql } from '../../src/postgres/sql.ts'
import { ask } from '../support/ask.ts'
import {
  distributedDatabase,
  toNode,
  undistributedDatabase,
  without_citus,
} from '../support/citus.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'

const options = { skip: without_citus }

async function clusterState(connection: Connection) {
  const db = openDatabase(connection, { clients_max: 1 })
  return findCluster(db.pool).finally(() => db.close())
}

async function distributed(t: TestContext): Promise<Connection> {
  const { connection, drop } = await distributedDatabase()
  t.after(drop)
  return connection
}

test('distributes a database with rows, also if it is interrupted', options, async (t) => {
  const { connection, drop } = await undistributedDatabase()
  t.after(drop)
  await migrate(connection, 'sandbox')
  await makePayments(connection)
  const before = await readRows(connection)

  let count = 0
  const stop = () => {
    count += 1
    if (count === 9) throw new Error('stopped')
  }
  await assert.rejects(distribute(connection, { shard_count: 4, onTable: stop }), /stopped/)
  const half = await clusterState(connection)
  assert.ok(half!.missing.length > 40 && half!.shards === 4)
  const rest = await distribute(connection, {})
  assert.equal(rest.length, half!.missing.length)
  assert.deepEqual(await distribute(connection, {}), [], 'a third run changes nothing')

  const whole = await clusterState(connection)
  assert.deepEqual([whole!.shards, whole!.servers, whole!.missing], [4, 2, []])
  assert.deepEqual(await readRows(connection), before)
  const db = openDatabase(connection, { clients_max: 2 })
  try {
    await checkInvariants(db.pool)
    await assertVerifyPasses(db)
  } finally {
    await db.close()
  }
})

async function makePayments(connection: Connection): Promise<void> {
  const florin = await serveOn(connection)
  try {
    const people = new People(florin.db)
    const owners = await Promise.all(Array.from({ length: 4 }, () => people.owner()))
    for (const { account_id, token } of owners) {
      const body = { account_id, amount: 700, currency: 'USD', type: 'payment' }
      const { status, text } = await florin.call('POST', '/v1/transactions', { token, body })
      assert.equal(status, 201, text)
    }
    await assert.rejects(distribute(connection, {}), /Stop every server and worker first/)
  } finally {
    await florin.close()
  }
}

async function readRows(connection: Connection): Promise<unknown[]> {
  const texts = ['balances', 'transactions', 'events', 'users', 'clock'].map(
    (name) => `select '${name}', row_to_json(it)::text as row from ${name} as it`,
  )
  return (await ask(connection, `${texts.join(' union all ')} order by 2`)).rows
}

test('a migration distributes new tables, once', options, async (t) => {
  const connection = await distributed(t)
  // As if a migration had added these tables.
  for (const name of ['known_devices', 'account_logos']) {
    await ask(connection, `select undistribute_table('${name}')`)
  }
  const both = await Promise.all([migrate(connection, 'sandbox'), migrate(connection, 'sandbox')])
  assert.deepEqual(both.flatMap((one) => one.distributed).sort(), [
    'account_logos',
    'known_devices',
  ])
  assert.deepEqual((await clusterState(connection))!.missing, [])
})

const last_version = '0022_finish_0_1'

/** Back to the schema of the last version. */
function undoTexts(): string[] {
  const files = readMigrations()
  const added = files.filter(({ name }) => name > last_version).flatMap((one) => one.statements)
  const namesOf = (pattern: RegExp) => added.flatMap((text) => pattern.exec(text)?.[1] ?? [])
  const indexes = namesOf(/^create index concurrently (\w+)/)
  const find = (start: string) =>
    files.flatMap((one) => one.statements).find((text) => text.startsWith(start))!
  return [
    ...namesOf(new_table).map((name) => `drop table ${name}`),
    ...indexes.map((name) => `drop index ${name}`),
    find('create index concurrently postings_of_statement').replace('concurrently', ''),
    'alter table postings drop constraint postings_movement_is_known',
    find('alter table postings add constraint postings_movement_is_known'),
    `delete from schema_migrations where name > '${last_version}'`,
  ]
}

const new_table = /^create table (\w+)/

test('upgrades a distributed database while Florin runs', options, async (t) => {
  const connection = await distributed(t)
  const before = await readSchema(connection)
  const florin = await serveOn(connection)
  t.after(() => florin.close())
  const people = new People(florin.db)
  const owners = await Promise.all([people.owner(), people.owner()])
  const undo_texts = undoTexts()
  for (const text of undo_texts) await ask(connection, text)
  const load = { stopped: false }
  const paying = Promise.all(owners.map((owner) => payUntil(florin, owner, load)))
  const result = await migrate(connection, 'sandbox')
  const later = knownMigrations().filter((name) => name > last_version)
  assert.deepEqual([result.applied, result.waiting], [later.slice(0, -1), later.slice(-1)])
  const dropped = undo_texts.flatMap((text) => /^drop table (\w+)/.exec(text)?.[1] ?? [])
  assert.ok(dropped.length > 0)
  assert.deepEqual(result.distributed.toSorted(), dropped.toSorted())
  assert.deepEqual((await migrate(connection, 'sandbox')).waiting, later.slice(-1))
  const last = await migrate(connection, 'sandbox', { finish: true })
  assert.deepEqual([last.applied, last.waiting], [later.slice(-1), []])
  load.stopped = true
  assert.ok((await paying).every((count) => count > 0))
  assert.deepEqual(await readSchema(connection), before)
  await checkInvariants(florin.db.pool)
  await assertVerifyPasses(florin.db)
})

async function payUntil(
  florin: SecondServer,
  { account_id, token }: Owner,
  load: { stopped: boolean },
): Promise<number> {
  const body = { account_id, amount: 5, currency: 'USD', type: 'payment' }
  for (let count = 0; ; count++) {
    const { status, text } = await florin.call('POST', '/v1/transactions', { token, body })
    assert.equal(status, 201, text)
    if (load.stopped) return count
  }
}

/** The indexes and constraints of every table, and of every shard by the name of its table. */
async function readSchema(connection: Connection): Promise<unknown[]> {
  const count = (name: string) => `(select count(*) from pg_index where indisvalid
    and indrelid = ${name}::regclass) || ' ' || (select count(*) from pg_constraint
    where conrelid = ${name}::regclass)`
  const found = await ask(
    connection,
    `select logicalrelid::text as name, ${count('logicalrelid')} as here, array(
       select distinct result from run_command_on_shards(logicalrelid,
         'select ${count(`''%1$s''`).replaceAll("' '", "'' ''")}')) as shards
     from pg_dist_partition where partmethod = 'h' order by 1`,
  )
  return found.rows
}

test('florin seed writes accounts of several shards', options, async (t) => {
  const connection = await distributed(t)
  const db = openDatabase(connection, { no_timeouts: true })
  t.after(() => db.close())
  const plan = { accounts: 8, transactions: 400, seed: 'citus', all_events: true }
  await seedDatabase(db, { ...plan, password: newPassword() }, () => {})
  const { rows } = await ask(connection, 'select count(*)::int as n from transactions')
  assert.deepEqual(rows, [{ n: plan.transactions }])
  await checkInvariants(db.pool)
  await assertVerifyPasses(db)
})

test('florin doctor shows the cluster, and checks every server', options, async (t) => {
  const { connection, name, nodes, drop } = await distributedDatabase()
  t.after(drop)
  const config = readConfig({ DATABASE_URL: connection.connectionString! })
  const find = async (check: string) =>
    (await checkDatabase(config)).find((finding) => finding.check === check)!
  const { state, message } = await find('Citus')
  assert.equal(state, 'ok')
  assert.match(message, /^Citus \S+, 4 shards on 2 servers$/)
  for (const check of await checkDatabase(config)) assert.notEqual(check.state, 'fail')

  const worker = toNode(connection, nodes.at(-1)!)
  await ask(worker, `alter database ${name} set synchronous_commit = off`)
  const { host, port } = nodes.at(-1)!
  assert.match((await find('Durability')).message, new RegExp(`off on ${host}:${port}`))

  await ask(connection, `select undistribute_table('known_devices')`)
  const missing = await find('Citus')
  assert.equal(missing.state, 'fail')
  assert.match(missing.message, /lacks 1 tables, such as known_devices/)
})

test('an index is created on a distributed table while it is in use', options, async (t) => {
  const connection = await distributed(t)
  const { client } = await connectClient(connection)
  try {
    for (const table of ['payment_requests', 'events']) {
      const name = `${table}_try`
      await createIndexOnline(client, `create index concurrently ${name} on ${table} (account_id)`)
      const found = await client.query('select from pg_indexes where indexname = $1', [name])
      assert.equal(found.rowCount, 1)
    }
  } finally {
    await client.end()
  }
})

test('uses custom plans, and rejects a session that must not', options, async (t) => {
  const connection = await distributed(t)
  const db = openDatabase(connection, { clients_max: 1 })
  const shown = await db.row<{ mode: string }>(sql`
    select current_setting('plan_cache_mode') as mode`)
  assert.equal(shown!.mode, 'auto')
  await db.close()
  const name = new URL(connection.connectionString!).pathname.slice(1)
  await ask(connection, `alter database ${name} set plan_cache_mode = force_generic_plan`)
  const other = openDatabase(connection, { clients_max: 1 })
  const message = /has the Citus extension, and plan_cache_mode is force_generic_plan/
  await assert.rejects(other.row(sql`select 1`), message)
  await assert.rejects(migrate(connection, 'sandbox'), message)
  await other.close()
})
