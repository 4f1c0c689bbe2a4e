// Every table has a place in a Citus cluster, and its keys allow it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coordinator_tables,
  first_table,
  other_tables,
  reference_tables,
} from '../../src/postgres/sharded-tables.ts'
import { startFlorin } from '../support/florin.ts'

const { db } = await startFlorin()

const by_account = [first_table, ...other_tables]

test('the list has every table of the schema exactly once', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'schema_migrations'`,
  )
  const listed = [...by_account.map(({ name }) => name), ...reference_tables, ...coordinator_tables]
  assert.deepEqual(
    listed.sort(),
    rows.map(({ name }) => name).sort(),
    'a table without a place in src/postgres/sharded-tables.ts would not be distributed',
  )
})

test('every unique index of an account table includes the account', async () => {
  const { rows } = await db.pool.query<{ index: string; table: string; columns: string[] }>(
    `select indexrelid::regclass::text as index, indrelid::regclass::text as table,
       array(select attname::text from pg_attribute
         where attrelid = indrelid and attnum = any(indkey::int2[])) as columns
     from pg_index where indisunique and indrelid::regclass::text = any($1)`,
    [by_account.map(({ name }) => name)],
  )
  assert.ok(rows.length >= by_account.length)
  for (const { index, table, columns } of rows) {
    const { column } = by_account.find(({ name }) => name === table)!
    assert.ok(columns.includes(column), `${index} of ${table} lacks ${column}`)
  }
})

test('every table whose primary key starts with an account is distributed by it', async () => {
  const { rows } = await db.pool.query<{ table: string }>(
    `select indrelid::regclass::text as table
     from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indisprimary and attname = 'account_id'
       and indrelid not in (select inhrelid from pg_inherits)`,
  )
  const names = by_account.map(({ name }) => name)
  assert.deepEqual(
    rows.map(({ table }) => table).filter((table) => !names.includes(table)),
    [],
  )
})
