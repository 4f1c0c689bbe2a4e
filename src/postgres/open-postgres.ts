// Where the database is: the operator's own by DATABASE_URL, or the embedded one.

import pg from 'pg'
import type { Connection } from './database.ts'
import { EmbeddedDatabaseError } from './embedded/embedded-database-error.ts'
import { inspectCluster } from './embedded/inspect-cluster.ts'
import { findRunningEmbedded, openEmbedded } from './embedded/open-embedded.ts'
import { findHome } from './embedded/prepare-home.ts'

export interface OpenPostgres {
  kind: 'embedded' | 'external'
  connection: Connection
  version: string
  /** Whether the embedded database was made now, started, or taken over from a crashed Florin. */
  started: 'new' | 'started' | 'adopted' | 'joined'
  /** Stops the embedded database; the operator's own is left alone. Called last. */
  stop(): Promise<void>
}

export interface PostgresPlace {
  database_url: string | undefined
  data_path: string
}

export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

/** For the server: owns the embedded database until it stops. */
export async function openPostgres(
  place: PostgresPlace,
  signal?: AbortSignal,
): Promise<OpenPostgres> {
  if (place.database_url !== undefined) return connectExternal(place.database_url)
  const embedded = await openEmbedded({ data_path: place.data_path, signal })
  const { version, started } = embedded
  const connection = onSocket(embedded.connection)
  return { kind: 'embedded', connection, version, started, stop: () => embedded.stop() }
}

/** For workers and commands: joins a live server, or opens the database for as long as it takes. */
export async function joinPostgres(place: PostgresPlace): Promise<OpenPostgres> {
  if (place.database_url !== undefined) return connectExternal(place.database_url)
  const running = await findRunningEmbedded(place.data_path)
  if (running === undefined) return openPostgres(place)
  const { pid: _, ...place_of_socket } = running
  const connection = onSocket(place_of_socket)
  const version = await askVersion(connection)
  return { kind: 'embedded', connection, version, started: 'joined', stop: async () => {} }
}

/** For those who only look: an embedded database that is not there is not made. */
export async function requireDatabase(place: PostgresPlace): Promise<void> {
  if (place.database_url !== undefined) return
  const home = await findHome(place.data_path)
  if (home !== undefined && (await inspectCluster(home)) === 'present') return
  throw new EmbeddedDatabaseError(
    `There is no database in ${place.data_path}. ` +
      'Start Florin first, or set FLORIN_DATA or DATABASE_URL to where it is.',
  )
}

// A private socket has no TLS, whatever PGSSLMODE in the environment asks of other connections.
function onSocket(connection: Connection): Connection {
  return { ...connection, ssl: false }
}

async function connectExternal(database_url: string): Promise<OpenPostgres> {
  const connection = { connectionString: database_url }
  try {
    const version = await askVersion(connection)
    return { kind: 'external', connection, version, started: 'joined', stop: async () => {} }
  } catch (error) {
    throw new DatabaseUnreachable(explain(database_url, error as Error), { cause: error })
  }
}

async function askVersion(connection: Connection): Promise<string> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const result = await client.query('show server_version')
    return String(result.rows[0].server_version).split(' ')[0]!
  } finally {
    await client.end().catch(() => {})
  }
}

// The URL holds a password, so only its harmless parts are named.
function explain(database_url: string, error: Error & { code?: string }): string {
  const url = URL.parse(database_url)
  const place = `${url?.hostname || 'localhost'}:${url?.port || 5432}`
  const name = url?.pathname.slice(1) || url?.username
  const advice: Record<string, string> = {
    ECONNREFUSED: `Nothing listens at ${place}. Start PostgreSQL there, or correct DATABASE_URL.`,
    ENOTFOUND: `The host ${url?.hostname} is unknown. Correct the host in DATABASE_URL.`,
    '28P01': `The server at ${place} refused the password. Correct it in DATABASE_URL.`,
    '28000': `The server at ${place} refused this user. Correct the user in DATABASE_URL.`,
    '3D000': `The database ${name} does not exist at ${place}. Create it, or correct DATABASE_URL.`,
  }
  const known = advice[error.code ?? '']
  return (
    known ?? `The database at ${place} cannot be reached: ${error.message}. Check DATABASE_URL.`
  )
}
