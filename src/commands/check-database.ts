// What doctor looks at in the database. An embedded one that is down is opened for the look, since
// that shows whether it can be; one that was never made is left for the first start.

import type { Config } from '../config.ts'
import { findClosingProgress } from '../ledger/closings.ts'
import { type Db, openDatabase } from '../postgres/database.ts'
import { findUnsafeSettings, repairAdvice } from '../postgres/durability.ts'
import { inspectCluster } from '../postgres/embedded/inspect-cluster.ts'
import { findHome } from '../postgres/embedded/prepare-home.ts'
import { findMode } from '../postgres/instance.ts'
import { appliedMigrations, knownMigrations } from '../postgres/migrate.ts'
import { joinPostgres, type OpenPostgres } from '../postgres/open-postgres.ts'
import { hasAdmin } from '../users/create-admin.ts'
import { describeDatabase } from './describe-database.ts'
import { describeFailure } from './failures.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    if (config.database_url === undefined && !(await isMade(config.data_path))) {
      return [
        ok('Database', 'embedded PostgreSQL, made at the first start'),
        ok('Mode', config.mode),
      ]
    }
    const postgres = await joinPostgres(config)
    return await look(config, postgres).finally(() => postgres.stop())
  } catch (error) {
    return [fail('Database', describeFailure(error, { opens_database: true }).message)]
  }
}

async function isMade(data_path: string): Promise<boolean> {
  const home = await findHome(data_path)
  return home !== undefined && (await inspectCluster(home)) === 'present'
}

async function look(config: Config, postgres: OpenPostgres): Promise<Finding[]> {
  const db = openDatabase(postgres.connection, { clients_max: 1 })
  try {
    const first = [checkVersion(config, postgres), await checkDurability(db, config)]
    const schema = await checkSchema(db)
    const mode = await checkMode(db, config)
    if (schema.state !== 'ok') return [...first, schema, mode]
    return [...first, schema, mode, await checkAdmin(db), await checkClosings(db)]
  } finally {
    await db.close()
  }
}

function checkVersion(config: Config, postgres: OpenPostgres): Finding {
  const said = describeDatabase(config, postgres)
  if (Number.parseInt(postgres.version, 10) >= 15) return ok('Database', said)
  return fail('Database', `${said}. Florin needs 15 or newer: point DATABASE_URL at one.`)
}

async function checkDurability(db: Db, { mode }: Config): Promise<Finding> {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return ok('Durability', 'what PostgreSQL acknowledges it keeps')
  const said = `PostgreSQL runs with ${unsafe.join(', ')}`
  if (mode === 'live') {
    return fail('Durability', `${said}: a payment could be lost. ${repairAdvice(unsafe)}`)
  }
  return warn('Durability', `${said}: a crash of the machine may lose data. Live mode refuses it.`)
}

async function checkSchema(db: Db): Promise<Finding> {
  const applied = await appliedMigrations(db.pool)
  const known = knownMigrations()
  const newer = applied.filter((name) => !known.includes(name))
  if (newer.length > 0) {
    const advice = 'Start the newer Florin that made it.'
    return fail('Schema', `The database has ${newer[0]}, unknown to this version. ${advice}`)
  }
  const missing = known.length - applied.length
  if (missing === 0) return ok('Schema', `up to date, ${known.length} migrations`)
  return warn('Schema', `${missing} migrations are missing. The next start or migrate runs them.`)
}

async function checkMode(db: Db, config: Config): Promise<Finding> {
  const made_for = await findMode(db)
  if (made_for === config.mode) return ok('Mode', config.mode)
  if (made_for === undefined) return checkUnmarked(config)
  const said = `The database was made for ${made_for}, and FLORIN_MODE is ${config.mode}`
  return fail('Mode', `${said}. Use another database, or set FLORIN_MODE=${made_for}.`)
}

// Nothing else complains of a FLORIN_MODE that was forgotten, and it cannot be mended afterwards.
function checkUnmarked({ mode, database_url }: Config): Finding {
  const said = `${mode}. The next start or migrate marks this database so, for good`
  if (mode === 'live' || database_url === undefined) return ok('Mode', `${said}.`)
  return warn('Mode', `${said}: for real money set FLORIN_MODE=live first.`)
}

async function checkAdmin(db: Db): Promise<Finding> {
  if (await hasAdmin(db)) return ok('Admin', 'there is one')
  return warn('Admin', 'There is none yet. Make one: npm run florin -- admin create')
}

/** Closing an account cancels its open rows in slices, which a worker runs. */
async function checkClosings(db: Db): Promise<Finding> {
  const { open, oldest_s, stalled } = await findClosingProgress(db)
  if (open === 0) return ok('Closings', 'no account closing in progress')
  const said = `${open} in progress, the oldest for ${Math.floor((oldest_s ?? 0) / 60)} min`
  if (stalled === 0) return ok('Closings', said)
  const advice = 'Check that a worker runs, and look for finish_closings in its log.'
  return warn('Closings', `${said}; ${stalled} without progress for 10 min. ${advice}`)
}
