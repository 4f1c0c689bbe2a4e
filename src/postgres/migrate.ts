// Migrates a database to the schema of this version. Several processes may start at once: one
// migrates, and the others wait.

import type pg from 'pg'
import { type ClientOptions, type Connection, connectClient } from './connect.ts'
import {
  type DistributionOptions,
  distributeTables,
  findCluster,
  requireNoSessions,
} from './distribute.ts'
import { knownMigrations, pendingMigrations } from './migration-files.ts'
import {
  application_name,
  type MigratingClient,
  runMigrations,
  SchemaError,
  whileMigrating,
} from './run-migrations.ts'

export { knownMigrations, pendingMigrations } from './migration-files.ts'

// The migrations before 0.1.0 were replaced by one baseline.
const first_development_migration = '0001_ground'

export interface MigrationResult {
  applied: string[]
  /** Contract migrations, which are applied when no older process is left. */
  waiting: string[]
  mode: 'sandbox' | 'live'
  /** Whether the database had no mode before and was marked with this one. */
  marked: boolean
  /** The tables that Citus did not have in their place. */
  distributed: string[]
}

interface MigrateOptions {
  /** No process of the previous version is left. */
  finish?: boolean
}

export async function migrate(
  connection: Connection,
  mode: 'sandbox' | 'live',
  { finish = false }: MigrateOptions = {},
): Promise<MigrationResult> {
  const { client, facts } = await connectClient(connection, { application_name })
  const chooseNext = async () => {
    const { next, waiting } = pendingMigrations(await appliedMigrations(client))
    return finish ? { next: [...next, ...waiting], waiting: [] } : { next, waiting }
  }
  try {
    await rejectOldServer(client)
    await rejectNewerSchema(client)
    await rejectOtherMode(client, mode)
    const { next, waiting } = await chooseNext()
    const parts = { client, connection, is_pooled: facts.is_pooled }
    let applied: string[] = []
    const run = async () => {
      // Another process may have applied some by the time this one has the lock.
      const { next: left } = await chooseNext()
      // A repeated attempt does not return those that an earlier one has committed.
      if (applied.length === 0) applied = left
      await runMigrations(client, left.length)
    }
    if (next.length > 0) await whileMigrating(parts, run)
    const distributed = facts.is_citus ? await distributeNew(parts) : []
    const marked = await claimMode(client, mode)
    return { applied, waiting, mode, marked, distributed }
  } finally {
    await client.end()
  }
}

/** A database that is distributed stays so: a new table gets its place at once. */
async function distributeNew(parts: MigratingClient): Promise<string[]> {
  const cluster = await findCluster(parts.client)
  if (cluster === undefined || cluster.shards === 0 || cluster.missing.length === 0) return []
  return whileMigrating(parts, () => distributeTables(parts.client))
}

const has_waiting =
  'The last upgrade is not finished. When no process of the previous version is left, run ' +
  '`florin migrate --finish`, then `florin distribute`.'

/** `florin distribute`. The schema must be current. */
export async function distribute(
  connection: Connection,
  options: DistributionOptions,
): Promise<string[]> {
  const { client, facts } = await connectClient(connection, { application_name })
  try {
    const parts = { client, connection, is_pooled: facts.is_pooled }
    return await whileMigrating(parts, async () => {
      // Some of them are not statements for Citus.
      const { waiting } = pendingMigrations(await appliedMigrations(client))
      if (waiting.length > 0) throw new SchemaError(has_waiting)
      await requireNoSessions(client)
      return distributeTables(client, options)
    })
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
    const { next, waiting } = pendingMigrations(await appliedMigrations(client))
    if (next.length === 0) return
    const known = knownMigrations().length
    const applied = known - next.length - waiting.length
    throw new SchemaError(
      `The database has ${applied} of the ${known} migrations of this version. ` +
        'Run `florin migrate` first.',
    )
  } finally {
    await client.end()
  }
}

/** The names of the migrations that have been applied; none on an empty database. */
export async function appliedMigrations(client: pg.Client | pg.Pool): Promise<string[]> {
  return (await readApplied(client)).map(({ name }) => name)
}

interface AppliedMigration {
  name: string
  /** The oldest migration that a process must know to run on the schema after this one. */
  runs_alongside: string | null
}

/** The migrations of a newer version that this version cannot run alongside. */
export async function foreignMigrations(client: pg.Client | pg.Pool): Promise<string[]> {
  const known = knownMigrations()
  const isCompatible = ({ runs_alongside }: AppliedMigration) =>
    runs_alongside !== null && runs_alongside <= known.at(-1)!
  return (await readApplied(client))
    .filter((migration) => !known.includes(migration.name) && !isCompatible(migration))
    .map(({ name }) => name)
}

// As JSON, because older schemas do not have the column.
async function readApplied(client: pg.Client | pg.Pool): Promise<AppliedMigration[]> {
  const table = await client.query(`select to_regclass('schema_migrations') as found`)
  if (table.rows[0].found === null) return []
  const result = await client.query(
    `select name, to_jsonb(stored) ->> 'runs_alongside' as runs_alongside
    from schema_migrations as stored
    order by name`,
  )
  return result.rows
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
  const unknown = await foreignMigrations(client)
  if (unknown.length === 0) return
  if (unknown.includes(first_development_migration)) {
    throw new SchemaError(
      'This database was created by a development version of Florin before 0.1.0, which cannot ' +
        'be upgraded. Use an empty database, or remove the data folder.',
    )
  }
  throw new SchemaError(
    `The database was migrated by a newer version of Florin: it has the migration ${unknown[0]}, ` +
      'which this version cannot run alongside. Start the newer version.',
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
