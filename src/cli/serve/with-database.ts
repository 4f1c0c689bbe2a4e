// Opens the database for one command. Joins a running one; starts the embedded one otherwise, and
// stops it afterward, even after Ctrl-C.

import type { Config } from '../../config.ts'
import {
  joinPostgres,
  type OpenPostgres,
  requireDatabase,
} from '../../embedded-postgres/open-postgres.ts'
import { type DatabaseOptions, type Db, openDatabase } from '../../postgres/database.ts'
import { type MigrationResult, migrate, requireCurrentSchema } from '../../postgres/migrate.ts'
import { Interrupted } from '../failures.ts'
import { listenForStop } from '../stop-signals.ts'
import { transientMessage } from '../terminal.ts'

/** Migrates the schema first: the command may run before the first start. */
export async function withMigratedDatabase<Result>(
  config: Config,
  work: (db: Db, migrated: MigrationResult) => Promise<Result>,
  { finish = false, ...options }: DatabaseOptions & { finish?: boolean } = {},
): Promise<Result> {
  return withPostgres(config, async ({ connection, started }) => {
    const is_alone = started === 'started'
    const migrated = await migrate(connection, config.mode, { finish: finish || is_alone })
    return { options, work: (db) => work(db, migrated) }
  })
}

/** For commands that need an existing database. Fails on a different schema version. */
export async function withExistingDatabase<Result>(
  config: Config,
  work: (db: Db) => Promise<Result>,
  options: DatabaseOptions = {},
): Promise<Result> {
  await requireDatabase(config)
  const prepare = async ({ connection }: OpenPostgres) => {
    await requireCurrentSchema(connection, { reads_only: options.reads_only ?? false })
    return { options, work }
  }
  return withPostgres(config, prepare, options)
}

/**
 * Accepts any schema version, for backups. Ctrl-C aborts the signal, so that the work can remove
 * partial results.
 */
export async function withUnmigratedDatabase<Result>(
  config: Config,
  work: (db: Db, postgres: OpenPostgres, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  await requireDatabase(config)
  const stop = listenForStop()
  const postgres = await joinPostgres(config)
  const db = openDatabase(postgres.connection, { clients_max: 1, no_timeouts: true })
  try {
    return await work(db, postgres, stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw new Interrupted('Interrupted. Partial results were removed.')
    throw error
  } finally {
    await db.close()
    await postgres.stop()
    stop.release()
  }
}

interface PreparedWork<Result> {
  options: DatabaseOptions
  work(db: Db): Promise<Result>
}

async function withPostgres<Result>(
  config: Config,
  prepare: (postgres: OpenPostgres) => Promise<PreparedWork<Result>>,
  { reads_only = false }: DatabaseOptions = {},
): Promise<Result> {
  const stop = listenForStop()
  const clear = transientMessage('Opening the database …')
  const postgres = await joinPostgres(config, { reads_only }).finally(clear)
  try {
    const { options, work } = await prepare(postgres)
    const db = openDatabase(postgres.connection, { clients_max: 2, ...options })
    const interrupted = stop.requested.then(() => {
      throw new Interrupted('Interrupted. Check the state with florin status.')
    })
    return await Promise.race([work(db), interrupted]).finally(() => db.close())
  } finally {
    await postgres.stop()
    stop.release()
  }
}
