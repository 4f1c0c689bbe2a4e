// florin status: shows the state of server and database. Never starts a database. It changes
// nothing, except that it creates a setup link while a server runs without an admin: only a hash of
// the link that "florin start" printed is stored.

import { type Config, unknown_address } from '../../config.ts'
import { findRunningEmbedded } from '../../embedded-postgres/open-embedded.ts'
import {
  DatabaseUnreachable,
  joinPostgres,
  type OpenPostgres,
} from '../../embedded-postgres/open-postgres.ts'
import { createSetupLink } from '../../identity/users/create-admin.ts'
import { type Db, openDatabase } from '../../postgres/database.ts'
import { findMode } from '../../postgres/instance.ts'
import { countList } from '../../postgres/list-counts.ts'
import { appliedMigrations, knownMigrations, pendingMigrations } from '../../postgres/migrate.ts'
import { start_command, version } from '../../version.ts'
import { databaseLocation, describeDatabase } from '../describe-database.ts'
import { describeServer, probeServer, type ServerState, serverUrl } from '../probe-server.ts'
import { readSettings } from '../settings.ts'
import { accent, columns, print, printJson, type Row } from '../terminal.ts'

interface DataStatus {
  postgres: Pick<OpenPostgres, 'kind' | 'version' | 'started'>
  applied: number
  /** Migrations that the next start applies. */
  pending: number
  known: number
  mode: string | undefined
  users: number
  accounts: number
  /** Path of a setup page, if there is no admin. */
  setup_path?: string
}

export async function showStatus(options: { json?: true }): Promise<void> {
  const config = readSettings(options)
  const server = await probeServer(config)
  const data = await findData(config, server === 'ready')
  const ready = server === 'ready' && typeof data === 'object' && data.pending === 0
  if (options.json) printJson(asJson(config, ready, server, data))
  else print(`\n${columns(asRows(config, server, data))}\n`)
  if (!ready) process.exitCode = 1
}

/** The state of the data, or a message that explains why it is unknown. */
async function findData(config: Config, is_ready: boolean): Promise<DataStatus | string> {
  try {
    if (!config.database_url && !(await findRunningEmbedded(config.data_path))) {
      return `embedded PostgreSQL, not running. Start it with ${start_command}.`
    }
    const postgres = await joinPostgres(config)
    const db = openDatabase(postgres.connection, { clients_max: 1 })
    return await readData(db, postgres, is_ready).finally(() => db.close())
  } catch (error) {
    if (error instanceof DatabaseUnreachable) return error.message
    throw error
  }
}

async function readData(
  db: Db,
  { kind, version, started }: OpenPostgres,
  is_ready: boolean,
): Promise<DataStatus> {
  const names = await appliedMigrations(db.pool)
  const is_migrated = names.length > 0
  return {
    postgres: { kind, version, started },
    applied: names.length,
    pending: pendingMigrations(names).next.length,
    known: knownMigrations().length,
    mode: is_migrated ? await findMode(db) : undefined,
    users: is_migrated ? await countList(db, 'users', {}) : 0,
    accounts: is_migrated ? await countList(db, 'accounts', {}) : 0,
    ...(is_migrated && is_ready && (await addSetupLink(db))),
  }
}

/** Additional to earlier links: the form of one of them may be open in a browser. */
async function addSetupLink(db: Db): Promise<{ setup_path?: string }> {
  const token = await createSetupLink(db, { additional: true })
  return token === undefined ? {} : { setup_path: `/setup/${token}` }
}

function asJson(config: Config, ready: boolean, server: ServerState, data: DataStatus | string) {
  const location = databaseLocation(config)
  const found = typeof data === 'string' ? undefined : data
  return {
    ready,
    version,
    server:
      server === 'unknown'
        ? { state: server, url: null, message: unknown_address }
        : { state: server, url: serverUrl(config) },
    database: found
      ? { state: 'running', location, ...found.postgres }
      : { state: 'unreachable', location },
    ...(typeof data === 'string' && { message: data }),
    schema: { applied: found?.applied ?? null, known: knownMigrations().length },
    mode: found?.mode ?? null,
    processors: config.processors,
    users: found?.users ?? null,
    accounts: found?.accounts ?? null,
    ...(found?.setup_path && { setup_url: config.public_url + found.setup_path }),
  }
}

function asRows(config: Config, server: ServerState, data: DataStatus | string): Row[] {
  const where: Row = ['Server', describeServer(config, server)]
  if (typeof data === 'string')
    return [where, ['Database', data], ['Data', databaseLocation(config)]]
  return [
    where,
    ['Database', describeDatabase(config, data.postgres)],
    ...(data.postgres.kind === 'embedded' ? [['Data', config.data_path] as const] : []),
    ['Schema', `${data.applied} of ${data.known} migrations`],
    ['Mode', data.mode ?? 'not set yet'],
    ['Payments', config.processors.join(', ')],
    ['Users', String(data.users)],
    ['Accounts', String(data.accounts)],
    ...(data.setup_path === undefined ? [] : [setupRow(config.public_url + data.setup_path)]),
  ]
}

function setupRow(url: string): Row {
  return ['Admin', `none yet. Create one at ${accent(url)} (works once, for one hour)`]
}
