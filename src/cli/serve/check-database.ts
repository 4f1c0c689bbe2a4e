// Database checks of florin doctor. A stopped embedded database is started for the checks, which
// proves that it can start. One that does not exist yet is not created.

import type { Config } from '../../config.ts'
import { inspectCluster } from '../../embedded-postgres/inspect-cluster.ts'
import { joinPostgres, type OpenPostgres } from '../../embedded-postgres/open-postgres.ts'
import { findHome } from '../../embedded-postgres/prepare-home.ts'
import { hasAdmin } from '../../identity/users/create-admin.ts'
import { findClosingProgress } from '../../ledger/closings.ts'
import { type Db, openDatabase } from '../../postgres/database.ts'
import { findCluster } from '../../postgres/distribute.ts'
import { findUnsafeSettings, readWorkers, repairAdvice } from '../../postgres/durability.ts'
import { findMode } from '../../postgres/instance.ts'
import {
  appliedMigrations,
  foreignMigrations,
  knownMigrations,
  pendingMigrations,
} from '../../postgres/migrate.ts'
import { florin_command } from '../../version.ts'
import { describeDatabase } from '../describe-database.ts'
import { describeFailure } from '../failures.ts'
import { checkFactors } from './check-factors.ts'
import { checkWebhooks } from './check-processor.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    if (config.database_url === undefined && !(await exists(config.data_path))) {
      return [
        ok('Database', 'embedded PostgreSQL, created on first start'),
        ok('Mode', config.mode),
      ]
    }
    const postgres = await joinPostgres(config)
    return await runChecks(config, postgres).finally(() => postgres.stop())
  } catch (error) {
    return [fail('Database', describeFailure(error, { opens_database: true }).message)]
  }
}

async function exists(data_path: string): Promise<boolean> {
  const home = await findHome(data_path)
  return home !== undefined && (await inspectCluster(home)) === 'present'
}

async function runChecks(config: Config, postgres: OpenPostgres): Promise<Finding[]> {
  const db = openDatabase(postgres.connection, { clients_max: 1 })
  try {
    const first = [checkVersion(config, postgres), await checkDurability(db, config)]
    const schema = await checkSchema(db)
    const { next } = pendingMigrations(await appliedMigrations(db.pool))
    const is_current = schema.state !== 'fail' && next.length === 0
    first.push(...(await checkCluster(db, config)))
    const mode = await checkMode(db, config)
    if (!is_current) return [...first, schema, mode]
    return [
      ...[...first, schema, mode, await checkAdmin(db), await checkClosings(db)],
      ...(await checkFactors(db, config)),
      ...(await checkWebhooks(db, config)),
    ]
  } finally {
    await db.close()
  }
}

function checkVersion(config: Config, postgres: OpenPostgres): Finding {
  const description = describeDatabase(config, postgres)
  if (Number.parseInt(postgres.version, 10) >= 15) return ok('Database', description)
  return fail(
    'Database',
    `${description}. Florin requires PostgreSQL 15 or newer: set DATABASE_URL to such a server.`,
  )
}

async function checkDurability(db: Db, { mode }: Config): Promise<Finding> {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return ok('Durability', 'PostgreSQL persists every acknowledged commit')
  const description = `PostgreSQL runs with ${unsafe.join(', ')}`
  if (mode === 'live') {
    return fail(
      'Durability',
      `${description}: a crash could lose payments. ${repairAdvice(unsafe)}`,
    )
  }
  return warn(
    'Durability',
    `${description}: a crash could lose data. Live mode does not start with it.`,
  )
}

/** Nothing on plain PostgreSQL. */
async function checkCluster(db: Db, config: Config): Promise<Finding[]> {
  const cluster = await findCluster(db.pool)
  if (cluster === undefined) return []
  const { version, shards, servers, missing } = cluster
  const engine = `Citus ${version}`
  if (shards === 0) {
    return [
      warn('Citus', `${engine}, not used: run "florin distribute" to use more than one server`),
    ]
  }
  if (missing.length > 0) {
    const advice = 'Stop Florin and run "florin distribute"'
    return [
      fail('Citus', `${engine} lacks ${missing.length} tables, such as ${missing[0]}. ${advice}.`),
    ]
  }
  const size = `${engine}, ${shards} shards on ${servers} servers`
  return [(await checkWorkers(db, config, size)) ?? ok('Citus', size)]
}

/** Undefined if nothing is wrong. */
async function checkWorkers(db: Db, { mode }: Config, size: string): Promise<Finding | undefined> {
  const workers = await readWorkers(db)
  const lost = workers.find(({ settings }) => settings === undefined)
  if (lost !== undefined) {
    const advice = 'Start it, or fail over to its standby'
    return fail('Citus', `${size}. The coordinator cannot connect to ${lost.name}. ${advice}.`)
  }
  const alone = workers.find(({ settings }) => settings!.synchronous_standby_names === '')
  if (mode !== 'live' || alone === undefined) return undefined
  const advice = 'If its disk is lost, so are the accounts on it'
  return warn('Citus', `${size}. ${alone.name} has no synchronous standby. ${advice}.`)
}

async function checkSchema(db: Db): Promise<Finding> {
  const newer = await foreignMigrations(db.pool)
  if (newer.length > 0) {
    const advice = 'Use the newer Florin version that applied it.'
    return fail('Schema', `Migration ${newer[0]} is unknown to this version. ${advice}`)
  }
  const { next, waiting } = pendingMigrations(await appliedMigrations(db.pool))
  if (next.length > 0) {
    const advice = 'The next start or migration applies them.'
    return warn('Schema', `${next.length} pending migrations. ${advice}`)
  }
  if (waiting.length === 0)
    return ok('Schema', `up to date, ${knownMigrations().length} migrations`)
  const advice = 'Run `florin migrate --finish` when no process of the previous version is left.'
  return warn('Schema', `The upgrade is not finished. ${advice}`)
}

async function checkMode(db: Db, config: Config): Promise<Finding> {
  const found = await findMode(db)
  if (found === config.mode) return ok('Mode', config.mode)
  if (found === undefined) return checkUnmarked(config)
  const problem = `The database is in ${found} mode, but FLORIN_MODE is ${config.mode}`
  return fail('Mode', `${problem}. Use another database, or set FLORIN_MODE=${found}.`)
}

// No other check catches a forgotten FLORIN_MODE, and the mode of a database is permanent.
function checkUnmarked({ mode, database_url }: Config): Finding {
  const notice = `${mode}. The next start or migration sets this mode permanently`
  if (mode === 'live' || database_url === undefined) return ok('Mode', `${notice}.`)
  return warn('Mode', `${notice}. For real money, set FLORIN_MODE=live first.`)
}

async function checkAdmin(db: Db): Promise<Finding> {
  if (await hasAdmin(db)) return ok('Admin', 'at least one exists')
  return warn('Admin', `No admin exists. Create one: ${florin_command} admin create`)
}

/** Closing an account cancels its open rows in slices, which a worker runs. */
async function checkClosings(db: Db): Promise<Finding> {
  const { open, oldest_s, stalled } = await findClosingProgress(db)
  if (open === 0) return ok('Closings', 'no account closing in progress')
  const progress = `${open} in progress, the oldest for ${Math.floor((oldest_s ?? 0) / 60)} min`
  if (stalled === 0) return ok('Closings', progress)
  const advice = 'Check that a worker is running and search its log for finish_closings.'
  return warn('Closings', `${progress}; ${stalled} without progress for 10 min. ${advice}`)
}
