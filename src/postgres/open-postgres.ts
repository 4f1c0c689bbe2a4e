// Where the database is: the operator's own by DATABASE_URL, or the embedded one.

import { Refusal } from '../primitives/refusal.ts'
import {
  type ClientOptions,
  type Connection,
  connectFirst,
  connectionOf,
  NoHost,
} from './connect.ts'
import { EmbeddedDatabaseError } from './embedded/embedded-database-error.ts'
import { inspectCluster } from './embedded/inspect-cluster.ts'
import { findRunningEmbedded, openEmbedded } from './embedded/open-embedded.ts'
import { findHome } from './embedded/prepare-home.ts'
import { translateFailure } from './failure.ts'

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
export async function joinPostgres(
  place: PostgresPlace,
  options: ClientOptions = {},
): Promise<OpenPostgres> {
  if (place.database_url !== undefined) return connectExternal(place.database_url, options)
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

async function connectExternal(
  database_url: string,
  options: ClientOptions = {},
): Promise<OpenPostgres> {
  const connection = connectionOf(database_url)
  try {
    const version = await askVersion(connection, options)
    return { kind: 'external', connection, version, started: 'joined', stop: async () => {} }
  } catch (error) {
    if (!(error instanceof NoHost)) throw error
    const sentences = error.failures.map(({ host, error }) => explain(host, error))
    throw new DatabaseUnreachable(sentences.join(' '), { cause: error })
  }
}

async function askVersion(connection: Connection, options: ClientOptions = {}): Promise<string> {
  const { client, facts } = await connectFirst(connection, options)
  await client.end().catch(() => {})
  return facts.version.split(' ')[0]!
}

// The URL holds a password, so only its harmless parts are named.
function explain({ connectionString }: Connection, error: Error & { code?: string }): string {
  const url = URL.parse(connectionString!)
  const place = `${url?.hostname || 'localhost'}:${url?.port || 5432}`
  const name = url?.pathname.slice(1) || url?.username
  const advice: Record<string, string> = {
    ECONNREFUSED: `Nothing listens at ${place}. Start PostgreSQL there, or correct DATABASE_URL.`,
    ENOTFOUND: `The host ${url?.hostname} is unknown. Correct the host in DATABASE_URL.`,
    '28P01': `The server at ${place} refused the password. Correct it in DATABASE_URL.`,
    '28000': `The server at ${place} refused this user. Correct the user in DATABASE_URL.`,
    '3D000': `The database ${name} does not exist at ${place}. Create it, or correct DATABASE_URL.`,
  }
  const known = advice[error.code ?? ''] ?? explainRefusal(place, error)
  return (
    known ?? `The database at ${place} cannot be reached: ${error.message}. Check DATABASE_URL.`
  )
}

/** A server or a pooler that answers, and that Florin cannot work with. */
function explainRefusal(place: string, error: Error): string | undefined {
  const translated = translateFailure(error)
  if (!(translated instanceof Refusal) || translated.details.retry_after_s === 1) return undefined
  return `At ${place}: ${translated.message}`
}
