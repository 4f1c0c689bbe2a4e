// One database for all files of a test process: emptied after each file, which takes a fifth of the
// CPU time of a new database with cold connections. If a file left something behind, such as a
// changed constraint or a lock, the next one gets a new database.

import type pg from 'pg'
import { type Connection, type Db, openDatabase } from '../../src/postgres/database.ts'
import { checkPoolOf, openCheckPool } from './check-pool.ts'
import { hashDatabase, list_tables } from './hash-database.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from './postgres.ts'
import { atProcessEnd, isShared } from './process-end.ts'

interface ReusedDatabase {
  db: Db
  check_pool: pg.Pool
  name: string
  connection: Connection
}

interface FreshState {
  fingerprint: string
  /** Statements that restore the rows of a fresh database. */
  reset: string
}

let idle: ReusedDatabase | undefined
let fresh: Promise<FreshState> | undefined
let in_use = 0

atProcessEnd(async () => {
  if (idle !== undefined) await drop(idle)
})

export async function takeDatabase(): Promise<ReusedDatabase> {
  in_use += 1
  const found = idle ?? (await create())
  idle = undefined
  if (isShared()) fresh ??= readFreshState(found.db)
  await fresh
  return found
}

/** Call it when nothing uses the database anymore. */
export async function returnDatabase(database: ReusedDatabase): Promise<void> {
  in_use -= 1
  if (isShared() && idle === undefined && (await isFreshAgain(database.db))) idle = database
  else await drop(database)
  if (in_use === 0) await stopOwnServer()
}

async function create(): Promise<ReusedDatabase> {
  const { connection, name } = await cloneDatabase()
  const db = openDatabase(connection)
  return { connection, name, db, check_pool: openCheckPool(db.pool, connection) }
}

async function drop({ db, check_pool, name }: ReusedDatabase): Promise<void> {
  await check_pool.end()
  await db.close()
  await dropDatabase(name)
}

async function isFreshAgain(db: Db): Promise<boolean> {
  const { fingerprint, reset } = await fresh!
  try {
    await db.pool.query(reset)
    return (await readFingerprint(db)) === fingerprint
  } catch {
    return false
  }
}

async function readFreshState(db: Db): Promise<FreshState> {
  const { rows: tables } = await db.pool.query<{ name: string }>(list_tables)
  const statements: string[] = []
  for (const { name } of tables) {
    const { rows } = await db.pool.query(`select json_agg(it)::text as json from ${name} as it`)
    statements.push(`delete from ${name}`)
    if (rows[0].json !== null) statements.push(insertOf(name, rows[0].json))
  }
  return {
    fingerprint: await readFingerprint(db),
    reset: ['begin', ...statements, 'commit'].join(';\n'),
  }
}

function insertOf(table: string, json: string): string {
  const quoted = json.replaceAll("'", "''")
  return `insert into ${table} select * from json_populate_recordset(null::${table}, '${quoted}')`
}

// A changed row of the catalog has another xmin. VACUUM and ANALYZE keep it and change reltuples.
const catalog_text = `
  select sum(hashtextextended(it, 0)::numeric) as hash from (
    select xmin::text || oid || reltuples as it from pg_class
    union all select xmin::text || oid from pg_constraint
    union all select xmin::text || attrelid || '.' || attnum from pg_attribute
    union all select setconfig::text from pg_db_role_setting
      where setdatabase = (
        select oid from pg_database where datname = current_database())) as all_rows`

async function readFingerprint(db: Db): Promise<string> {
  const catalog = await checkPoolOf(db.pool).query({ name: 'hash_catalog', text: catalog_text })
  return JSON.stringify([catalog.rows[0].hash, await hashDatabase(db.pool)])
}
