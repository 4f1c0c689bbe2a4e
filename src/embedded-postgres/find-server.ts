import pg from 'pg'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import { currentUser } from './system-users.ts'
import { role } from './write-access-rules.ts'

export interface ServerAddress {
  socket_path: string
  port: number
}

/** busy: the server is starting up or shutting down; silent: it is down, or does not respond. */
export type ProbeResult = pg.Client | 'busy' | 'silent'

// A healthy server responds on a local socket within milliseconds, even under full load. A stopped
// one (SIGSTOP, a frozen container) accepts the connection and never responds.
const probe_timeout_ms = 2_000

/** Connects to the maintenance database, which always exists and is never cloned or dropped. */
export async function probe(
  address: ServerAddress,
  application_name: string,
): Promise<ProbeResult> {
  const client = new pg.Client({
    host: address.socket_path,
    port: address.port,
    user: role,
    database: 'postgres',
    application_name,
    connectionTimeoutMillis: probe_timeout_ms,
    // Explicit, so that PGSSLMODE in the environment does not enable TLS on a local socket.
    ssl: false,
  })
  // The owner of the client handles its end; without a listener, an error would crash the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    return classifyError(error, address)
  }
}

function classifyError(error: unknown, address: ServerAddress): 'busy' | 'silent' {
  const code = codeOf(error)
  // 57P01 to 57P03: the server is shutting down or starting up.
  if (code?.startsWith('57P')) return 'busy'
  if (code === '28000') {
    throw new EmbeddedDatabaseError(
      `The database at ${address.socket_path} was started by another user and rejects ` +
        `${currentUser().name}. Run the command as the user who started it.`,
      error,
    )
  }
  // Any other SQLSTATE (five characters) is an unexpected error of a running server.
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')) {
    throw new EmbeddedDatabaseError(
      `The embedded database returned an error: ${(error as Error).message}. Try again shortly.`,
      error,
    )
  }
  return 'silent'
}

/** The connection was lost, or the server is shutting down. The caller should probe again. */
export function isServerDown(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined
    ? /^Connection terminated|is not queryable/.test((error as Error).message)
    : code.startsWith('57P') || /^E(PIPE|CONN)/.test(code)
}
