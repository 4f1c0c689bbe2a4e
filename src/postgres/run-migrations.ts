// Applies migrations while other processes use the database. A statement that waits for a lock
// blocks every payment behind it, so it gives up after half a second, and the migration is repeated
// a moment later.

import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import { type Connection, connectClient } from './connect.ts'
import { sqlState } from './failure.ts'
import { type MigrationFile, migrations_path, readMigrations } from './migration-files.ts'
import { createIndexOnline, lock_timeout_ms } from './online-index.ts'

export class SchemaError extends Error {
  override name = 'SchemaError'
}

export interface MigratingClient {
  client: pg.Client
  is_pooled: boolean
  connection: Connection
}

export const application_name = 'florin migrate'

// About three minutes. Longer transactions are backups and reports, not payments.
const attempts_max = 120
const pause_ms = 1_000

/** Runs `work` while no other process migrates. Repeats it if other transactions hold locks. */
export async function whileMigrating<Result>(
  parts: MigratingClient,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const unlock = await (parts.is_pooled ? lockTransaction(parts.connection) : lock(parts.client))
    try {
      return await work()
    } catch (error) {
      // Lock timeout, or a deadlock with a process that waits for this one.
      if (!/^(55P03|40P01)$/.test(sqlState(error) ?? '')) throw error
      if (attempt === attempts_max) throw tableInUse(error)
    } finally {
      // A failed migration leaves its transaction open.
      await parts.client.query('rollback').catch(() => {})
      await unlock()
    }
    await sleep(pause_ms)
  }
}

function tableInUse(cause: unknown): SchemaError {
  const error = new SchemaError(
    'A table could not be changed, because a long transaction uses it, such as a backup or ' +
      '`florin verify`. Nothing was interrupted. Run `florin migrate` again when it has ended.',
  )
  error.cause = cause
  return error
}

type Unlock = () => Promise<unknown>

const poll_ms = 200

// Polls: "create index concurrently" waits for all statements that run, so it would wait for a
// statement that waits for this lock.
async function lock(client: pg.Client): Promise<Unlock> {
  while (!(await isTrue(client, `pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID})`))) {
    await sleep(poll_ms)
  }
  return () => client.query(`select pg_advisory_unlock(${PG_MIGRATE_LOCK_ID})`).catch(() => {})
}

// A pooler may move a session to another server process, and its lock stays behind. An open
// transaction stays in its process. The lock id is the same, so both kinds exclude each other.
async function lockTransaction(connection: Connection): Promise<Unlock> {
  const { client } = await connectClient(connection, { application_name })
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    while (!(await isTrue(client, `pg_try_advisory_xact_lock(${PG_MIGRATE_LOCK_ID})`))) {
      await sleep(poll_ms)
    }
    return () => client.end()
  } catch (error) {
    await client.end()
    throw error
  }
}

async function isTrue(client: pg.Client, expression: string): Promise<boolean> {
  return (await client.query(`select ${expression} as value`)).rows[0].value
}

/** Applies the next migrations. The caller holds the lock. */
export async function runMigrations(client: pg.Client, count: number): Promise<void> {
  if (count === 0) return
  const files = readMigrations()
  await runner({
    dbClient: client,
    dir: migrations_path,
    direction: 'up',
    count,
    migrationsTable: 'schema_migrations',
    noLock: true,
    migrationLoaderStrategies: [
      {
        extensions: ['.sql'],
        loader: async (paths) =>
          paths.map((path) => {
            const file = files.find(({ name }) => name === basename(path, '.sql'))!
            return { id: path, filePaths: [path], actions: actionsOf(client, file, files) }
          }),
      },
    ],
    log: () => {},
  })
  await storeCompatibility(client, files)
}

type Loader = NonNullable<Parameters<typeof runner>[0]['migrationLoaderStrategies']>[number]
type MigrationUnit = Awaited<ReturnType<Exclude<Loader['loader'], string>>>[number]

function actionsOf(
  client: pg.Client,
  file: MigrationFile,
  files: MigrationFile[],
): MigrationUnit['actions'] {
  return {
    down: false,
    async up(pgm) {
      if (file.is_online) {
        pgm.noTransaction()
        // Earlier migrations are committed by now. Building an index may take long, and processes
        // of the previous version can be restarted meanwhile.
        await storeCompatibility(client, files)
        for (const statement of file.statements) await createIndexOnline(client, statement)
        return
      }
      pgm.sql(`set local lock_timeout = ${lock_timeout_ms}`)
      for (const statement of file.statements) pgm.sql(statement)
    },
  }
}

/** For older processes, which do not have the files. */
async function storeCompatibility(client: pg.Client, files: MigrationFile[]): Promise<void> {
  await client.query(
    `update schema_migrations
    set runs_alongside = it.runs_alongside
    from unnest($1::text[], $2::text[]) as it (name, runs_alongside)
    where schema_migrations.name = it.name
      and schema_migrations.runs_alongside is distinct from it.runs_alongside`,
    [files.map(({ name }) => name), files.map(({ runs_alongside }) => runs_alongside)],
  )
}
