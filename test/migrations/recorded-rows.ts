// Copies all rows of a database into one with an older schema, limited to the tables and columns
// that the older schema has.

import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'

export type Rows = Map<string, object[]>

const list_tables = `
  select tablename as name from pg_tables
  where schemaname = 'public' and tablename <> 'schema_migrations'
    and not exists (
      select from pg_inherits where inhrelid = format('%I', tablename)::regclass)
  order by tablename`

export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Applies the first `count` migrations. */
export async function migrateSome(client: pg.Client, count: number): Promise<void> {
  const options = {
    dir: 'migrations',
    direction: 'up',
    migrationsTable: 'schema_migrations',
  } as const
  await runner({ ...options, dbClient: client, count, log: () => {} })
}

export async function readRows(client: pg.Client): Promise<Rows> {
  const rows: Rows = new Map()
  for (const { name } of (await client.query(list_tables)).rows) {
    const found = await client.query(`select to_json(it) as row from ${name} as it`)
    rows.set(
      name,
      found.rows.map(({ row }) => row),
    )
  }
  return rows
}

export async function writeRows(client: pg.Client, rows: Rows): Promise<void> {
  for (const { name } of (await client.query(list_tables)).rows) {
    const columns = await client.query(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1`,
      [name],
    )
    const list = columns.rows.map((column) => column.name).join(', ')
    await client.query(
      `insert into ${name} (${list})
       select ${list} from json_populate_recordset(null::${name}, $1)
       on conflict do nothing`,
      [JSON.stringify(rows.get(name) ?? [])],
    )
  }
}

/** Returns rows of `before` that `after` lacks or has changed. An upgrade may only add rows. */
export function findChanged(before: Rows, after: Rows): string[] {
  return [...before].flatMap(([table, rows]) => {
    const texts = new Set((after.get(table) ?? []).map((row) => textOf(row, before, table)))
    return rows
      .filter((row) => !texts.has(textOf(row, before, table)))
      .map((row) => `${table} ${JSON.stringify(row)}`)
  })
}

// Ignores columns added later, and the end of an event's id, which 0009 turned into a number.
function textOf(row: object, before: Rows, table: string): string {
  const known = Object.keys(before.get(table)![0] ?? {})
  const compared = Object.entries(row)
    .filter(([name]) => known.includes(name))
    .map(([name, value]) => [name, event_ids[table] === name ? value.slice(0, -10) : value])
  return JSON.stringify(compared.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const event_ids: Record<string, string> = { events: 'id', webhook_deliveries: 'event_id' }
