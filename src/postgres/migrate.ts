// Migrates a database to the schema of this version. Several processes may start at once: the
// advisory lock of node-pg-migrate serializes them.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import { type ClientOptions, type Connection, connectClient } from './connect.ts'

const directory = fileURLToPath(new URL('../../migrations', import.meta.url))

// The migrations before 0.1.0 were replaced by one baseline.
const first_development_migration = '0001_ground'

class SchemaError extends Error {
  override name = 'SchemaError'
}

export interface MigrationResult {
  applied: string[]
  mode: 'sandbox' | 'live'
  /** Whether the database had no mode before and was marked with this one. */
  marked: boolean
}

export async function migrate(
  connection: Connection,
  mode: 'sandbox' | 'live',
): Promise<MigrationResult> {
  const { client, facts } = await connectClient(connection, { application_name })
  try {
    await rejectOldServer(client)
    await rejectNewerSchema(client)
    await rejectOtherMode(client, mode)
    const run = () => runMigrations(client, { noLock: facts.is_pooled })
    const applied = await (facts.is_pooled ? whileLocked(connection, run) : run())
    const marked = await claimMode(client, mode)
    return { applied: applied.map((migration) => migration.name), mode, marked }
  } finally {
    await client.end()
  }
}

const application_name = 'florin migrate'

function runMigrations(client: pg.Client, { noLock }: { noLock: boolean }) {
  return runner({
    dbClient: client,
    dir: directory,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    advisoryLockMode: 'wait',
    noLock,
    log: () => {},
  })
}

// node-pg-migrate takes a session lock, but a pooler may move the session to another server
// process. An open transaction stays in its process. The lock id is the same, so both kinds of lock
// exclude each other.
async function whileLocked<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  const { client } = await connectClient(connection, { application_name })
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    await client.query(`select pg_advisory_xact_lock(${PG_MIGRATE_LOCK_ID})`)
    return await work()
  } finally {
    await client.end()
  }
}

/** For commands that only read: throws unless all migrations have been applied. */
export async function requireCurrentSchema(
  connection: Connection,
  options: ClientOptions = {},
): Promise<void> {
  const { client } = await connectClient(connection, { application_name, ...options })
  try {
    await rejectNewerSchema(client)
    const known = knownMigrations().length
    const applied = (await appliedMigrations(client)).length
    if (applied === known) return
    throw new SchemaError(
      `The database has ${applied} of the ${known} migrations of this version. ` +
        'Run `florin migrate` first.',
    )
  } finally {
    await client.end()
  }
}

/** The names of the migrations of this version, oldest first. */
export function knownMigrations(): string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.slice(0, -'.sql'.length)).sort()
}

/** The names of the migrations that have been applied; none on an empty database. */
export async function appliedMigrations(client: pg.Client | pg.Pool): Promise<string[]> {
  const table = await client.query(`select to_regclass('schema_migrations') as found`)
  if (table.rows[0].found === null) return []
  const result = await client.query('select name from schema_migrations order by name')
  return result.rows.map((row) => row.name)
}

async function rejectOldServer(client: pg.Client): Promise<void> {
  const result = await client.query(`select current_setting('server_version_num')::int as version`)
  const major = Math.floor(result.rows[0].version / 10_000)
  if (major >= 15) return
  throw new SchemaError(
    `Florin requires PostgreSQL 15 or newer; the database is PostgreSQL ${major}. ` +
      'Point DATABASE_URL at a newer server.',
  )
}

async function rejectNewerSchema(client: pg.Client): Promise<void> {
  const known = new Set(knownMigrations())
  const unknown = (await appliedMigrations(client)).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  if (unknown.includes(first_development_migration)) {
    throw new SchemaError(
      'This database was created by a development version of Florin before 0.1.0, which cannot ' +
        'be upgraded. Use an empty database, or remove the data folder.',
    )
  }
  throw new SchemaError(
    `The database was migrated by a newer version of Florin: it has the migration ${unknown[0]}, ` +
      'which this version does not have. Start the newer version.',
  )
}

/** Checked before migrating: an older Florin could not use the database afterwards. */
async function rejectOtherMode(client: pg.Client, mode: 'sandbox' | 'live'): Promise<void> {
  const table = await client.query(`select to_regclass('instance') as found`)
  if (table.rows[0].found !== null) await requireMode(client, mode)
}

// Starting a sandbox database in live mode, or the reverse, would mix test money and real money.
async function claimMode(client: pg.Client, mode: 'sandbox' | 'live'): Promise<boolean> {
  const claimed = await client.query(
    `insert into instance (one, mode, created_at)
    values (true, $1, now())
    on conflict (one) do nothing`,
    [mode],
  )
  // Another process may have claimed the database since the first check.
  await requireMode(client, mode)
  return claimed.rowCount === 1
}

/** Accepts a database that has no mode yet. */
async function requireMode(client: pg.Client, mode: 'sandbox' | 'live'): Promise<void> {
  const result = await client.query('select mode from instance')
  const database_mode = result.rows[0]?.mode ?? mode
  if (database_mode === mode) return
  throw new SchemaError(
    `This database was created with FLORIN_MODE=${database_mode}, but Florin was started with ` +
      `FLORIN_MODE=${mode}. Use another database, or start with FLORIN_MODE=${database_mode}.`,
  )
}
