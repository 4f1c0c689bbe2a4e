// The database for the time of one command: a live one is joined, the embedded one is otherwise
// opened and stopped again, also when somebody presses Ctrl-C meanwhile.

import type { Config } from '../config.ts'
import { type DatabaseOptions, type Db, openDatabase } from '../postgres/database.ts'
import { type Migrated, migrate, requireCurrentSchema } from '../postgres/migrate.ts'
import { joinPostgres, type OpenPostgres, requireDatabase } from '../postgres/open-postgres.ts'
import { Interrupted } from './failures.ts'
import { listenForStop } from './stop-signals.ts'
import { transientMessage } from './terminal.ts'

/** Brings the schema up to date first: a command may well come before the first start. */
export async function withMigratedDatabase<Result>(
  config: Config,
  work: (db: Db, migrated: Migrated) => Promise<Result>,
): Promise<Result> {
  return withPostgres(config, async ({ connection }) => {
    const migrated = await migrate(connection, config.mode)
    return { options: {}, work: (db) => work(db, migrated) }
  })
}

/**
 * For those who mean a database that is there: none is made, and a schema that is not this
 * version's is refused and stays as it is.
 */
export async function withFoundDatabase<Result>(
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
 * For copying it as it is, whatever its schema. The work hears of Ctrl-C by the signal, so that it
 * can clear away what it has begun.
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
    if (stop.signal.aborted) throw new Interrupted('Interrupted. Nothing was kept.')
    throw error
  } finally {
    await db.close()
    await postgres.stop()
    stop.release()
  }
}

interface Prepared<Result> {
  options: DatabaseOptions
  work(db: Db): Promise<Result>
}

async function withPostgres<Result>(
  config: Config,
  prepare: (postgres: OpenPostgres) => Promise<Prepared<Result>>,
  { reads_only = false }: DatabaseOptions = {},
): Promise<Result> {
  const stop = listenForStop()
  const clear = transientMessage('Opening the database …')
  const postgres = await joinPostgres(config, { reads_only }).finally(clear)
  try {
    const { options, work } = await prepare(postgres)
    const db = openDatabase(postgres.connection, { clients_max: 2, ...options })
    const interrupted = stop.requested.then(() => {
      throw new Interrupted('Interrupted. Look with florin status at how far it came.')
    })
    return await Promise.race([work(db), interrupted]).finally(() => db.close())
  } finally {
    await postgres.stop()
    stop.release()
  }
}
