// Opens the database: an external one if DATABASE_URL is set, otherwise the embedded one.

import {
  type ClientOptions,
  type Connection,
  connectFirst,
  connectionOf,
  NoHost,
} from '../postgres/connect.ts'
import { translateFailure } from '../postgres/failure.ts'
import { Refusal } from '../primitives/refusal.ts'
import { EmbeddedDatabaseError } from './errors.ts'
import { inspectCluster } from './inspect-cluster.ts'
import { findRunningEmbedded, openEmbedded } from './open-embedded.ts'
import { findHome } from './prepare-home.ts'

export interface OpenPostgres {
  kind: 'embedded' | 'external'
  connection: Connection
  version: string
  /** `adopted`: the embedded database survived a crash of Florin. `joined`: not ours to stop. */
  started: 'new' | 'started' | 'adopted' | 'joined'
  /** Stops the embedded database; has no effect on an external one. Called last. */
  stop(): Promise<void>
}

interface PostgresLocation {
  database_url: string | undefined
  data_path: string
}

export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

/** For the server: owns the embedded database until it stops. */
export async function openPostgres(
  location: PostgresLocation,
  signal?: AbortSignal,
): Promise<OpenPostgres> {
  if (location.database_url !== undefined) return connectExternal(location.database_url)
  const embedded = await openEmbedded({ data_path: location.data_path, signal })
  const { connection, version, started } = embedded
  return { kind: 'embedded', connection, version, started, stop: () => embedded.stop() }
}

/** For workers and commands: joins a running server, or opens the database temporarily. */
export async function joinPostgres(
  location: PostgresLocation,
  options: ClientOptions = {},
): Promise<OpenPostgres> {
  if (location.database_url !== undefined) return connectExternal(location.database_url, options)
  const running = await findRunningEmbedded(location.data_path)
  if (running === undefined) return openPostgres(location)
  const { pid: _, ...connection } = running
  const version = await readVersion(connection)
  return { kind: 'embedded', connection, version, started: 'joined', stop: async () => {} }
}

/** For commands that only read: throws instead of creating an embedded database. */
export async function requireDatabase(location: PostgresLocation): Promise<void> {
  if (location.database_url !== undefined) return
  const home = await findHome(location.data_path)
  if (home !== undefined && (await inspectCluster(home)) === 'present') return
  throw new EmbeddedDatabaseError(
    `There is no database in ${location.data_path}. ` +
      'Run `florin start` first, or set FLORIN_DATA or DATABASE_URL to an existing database.',
  )
}

async function connectExternal(
  database_url: string,
  options: ClientOptions = {},
): Promise<OpenPostgres> {
  const connection = connectionOf(database_url)
  try {
    const version = await readVersion(connection, options)
    return { kind: 'external', connection, version, started: 'joined', stop: async () => {} }
  } catch (error) {
    if (!(error instanceof NoHost)) throw error
    const messages = error.failures.map(({ host, error }) => explain(host, error))
    throw new DatabaseUnreachable(messages.join(' '), { cause: error })
  }
}

async function readVersion(connection: Connection, options: ClientOptions = {}): Promise<string> {
  const { client, facts } = await connectFirst(connection, options)
  await client.end().catch(() => {})
  return facts.version.split(' ')[0]!
}

// The URL contains a password, so only its other parts are shown.
function explain({ connectionString }: Connection, error: Error & { code?: string }): string {
  const url = URL.parse(connectionString!)
  const address = `${url?.hostname || 'localhost'}:${url?.port || 5432}`
  const name = url?.pathname.slice(1) || url?.username
  const advice: Record<string, string> = {
    ECONNREFUSED: `No server is listening at ${address}. Start PostgreSQL or fix DATABASE_URL.`,
    ENOTFOUND: `The host "${url?.hostname}" cannot be resolved. Fix the host in DATABASE_URL.`,
    '28P01': `The server at ${address} rejected the password. Fix it in DATABASE_URL.`,
    '28000': `The server at ${address} rejected the user. Fix it in DATABASE_URL.`,
    '3D000': `The database "${name}" does not exist at ${address}. Create it or fix DATABASE_URL.`,
  }
  const known = advice[error.code ?? ''] ?? explainRefusal(address, error)
  return (
    known ?? `The database at ${address} cannot be reached: ${error.message}. Check DATABASE_URL.`
  )
}

/** For a server or pooler that responds, but that Florin cannot work with. */
function explainRefusal(address: string, error: Error): string | undefined {
  const translated = translateFailure(error)
  if (!(translated instanceof Refusal) || translated.details.retry_after_s === 1) return undefined
  return `At ${address}: ${translated.message}`
}
