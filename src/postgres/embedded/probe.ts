import pg from 'pg'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import { currentUser } from './system-users.ts'
import { role } from './write-access-rules.ts'

export interface ServerAddress {
  socket_path: string
  port: number
}

/** busy: it is starting up or shutting down; silent: nobody is there, or nobody answers. */
export type ProbeResult = pg.Client | 'busy' | 'silent'

// A healthy server answers on a local socket within milliseconds, even under full load. One that
// is stopped (SIGSTOP, a frozen container) takes the connection and never answers.
const probe_timeout_ms = 2_000

/** Connects to the maintenance database, which always exists and which nobody clones or drops. */
export async function probe(door: ServerAddress, application_name: string): Promise<ProbeResult> {
  const client = new pg.Client({
    host: door.socket_path,
    port: door.port,
    user: role,
    database: 'postgres',
    application_name,
    connectionTimeoutMillis: probe_timeout_ms,
    // Set, so that PGSSLMODE in the environment does not ask for TLS on a local socket.
    ssl: false,
  })
  // A connection that breaks later is noticed by its owner; unheard, the event ends the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    return classifyError(error, door)
  }
}

function classifyError(error: unknown, door: ServerAddress): 'busy' | 'silent' {
  const code = codeOf(error)
  // 57P01 to 57P03: the server is going down, or not up yet.
  if (code?.startsWith('57P')) return 'busy'
  if (code === '28000') {
    throw new EmbeddedDatabaseError(
      `The database behind ${door.socket_path} runs for another user and does not let ` +
        `${currentUser().name} in. Run this as the user who started it.`,
      error,
    )
  }
  // Any other SQLSTATE (five characters) is an answer too, and an unexpected one.
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')) {
    throw new EmbeddedDatabaseError(
      `The embedded database answered: ${(error as Error).message}. Try again in a moment.`,
      error,
    )
  }
  return 'silent'
}

/** The connection broke, or the server said that it is shutting down: the next look tells. */
export function isServerDown(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined
    ? /^Connection terminated|is not queryable/.test((error as Error).message)
    : code.startsWith('57P') || /^E(PIPE|CONN)/.test(code)
}
