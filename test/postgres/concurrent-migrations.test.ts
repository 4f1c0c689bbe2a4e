// Several processes may start on one empty database. Florin requires PostgreSQL 15 or newer and
// leaves a database that it rejects unchanged.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { knownMigrations, migrate } from '../../src/postgres/migrate.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { ask, dropDatabase, emptyDatabase, stopOwnServer } from '../support/postgres.ts'
import { migrateSome, withClient } from './migrate-some.ts'

after(stopOwnServer)

test('of five concurrent migrations one does the work and the others wait', async () => {
  for (let round = 0; round < 3; round++) {
    const { connection, name } = await emptyDatabase()
    const all = await Promise.all(Array.from({ length: 5 }, () => migrate(connection, 'sandbox')))
    const applied_lists = all.map(({ applied }) => applied).filter((applied) => applied.length > 0)
    assert.deepEqual(applied_lists, [knownMigrations()])
    await dropDatabase(name)
  }
})

test('rejects an older PostgreSQL and creates nothing in it', async () => {
  const { connection, name } = await emptyDatabase()
  // Simulates version 14: functions in a schema before pg_catalog in the path shadow the built-ins.
  await ask(connection, `alter database ${name} set search_path = public, pg_catalog`)
  await ask(
    connection,
    `create function current_setting(text) returns text language sql
     return case $1 when 'server_version_num' then '140012'
       else pg_catalog.current_setting($1) end`,
  )
  await assert.rejects(migrate(connection, 'sandbox'), {
    name: 'SchemaError',
    message:
      'Florin requires PostgreSQL 15 or newer; the database is PostgreSQL 14. ' +
      'Point DATABASE_URL at a newer server.',
  })
  const tables = await ask(connection, `select 1 from pg_tables where schemaname = 'public'`)
  assert.equal(tables.rowCount, 0)
  await dropDatabase(name)
})

test('rejects a database of a development version without changing it', async () => {
  const { connection, name } = await emptyDatabase()
  await ask(connection, 'create table schema_migrations (name text)')
  await ask(connection, `insert into schema_migrations values ('0001_ground'), ('0002_who')`)
  await assert.rejects(migrate(connection, 'sandbox'), {
    name: 'SchemaError',
    message:
      'This database was created by a development version of Florin before 0.1.0, which cannot ' +
      'be upgraded. Use an empty database, or remove the data folder.',
  })
  const tables = await ask(connection, `select 1 from pg_tables where schemaname = 'public'`)
  assert.equal(tables.rowCount, 1)
  await dropDatabase(name)
})

test('rejects an older database of the other mode before changing it', async () => {
  for (const [made_for, mode] of [
    ['live', 'sandbox'],
    ['sandbox', 'live'],
  ] as const) {
    const { connection, name } = await emptyDatabase()
    await withClient(connection, (client) => migrateSome(client, 9))
    await ask(connection, `insert into instance values (true, '${made_for}', now())`)
    const db = openDatabase(connection)
    await assertNoChanges(db.pool, () =>
      assert.rejects(migrate(connection, mode), {
        name: 'SchemaError',
        message:
          `This database was created with FLORIN_MODE=${made_for}, but Florin was started with ` +
          `FLORIN_MODE=${mode}. Use another database, or start with FLORIN_MODE=${made_for}.`,
      }),
    )
    await db.close()
    await migrate(connection, made_for)
    await dropDatabase(name)
  }
})
