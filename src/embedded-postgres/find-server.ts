import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { Home } from './prepare-home.ts'
import { currentUser } from './system-users.ts'
import { role } from './write-access-rules.ts'

/** The contents of postmaster.pid, which a running server writes to its data directory. */
export interface PostmasterFile {
  pid: number
  port: number
  socket_path: string
}

/** Undefined if there is no such file, or if a server has not finished writing it. */
export function readPostmasterFile(cluster_path: string): PostmasterFile | undefined {
  let text: string
  try {
    text = readFileSync(join(cluster_path, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
  // One value per line: pid, data directory, start time, port, socket directory, TCP address, …
  const [pid, , , port, socket_path] = text.split('\n')
  const file = { pid: Number(pid), port: Number(port), socket_path: socket_path ?? '' }
  return file.pid > 0 && file.port > 0 && file.socket_path !== '' ? file : undefined
}

interface FoundServer extends PostmasterFile {
  /** A connection that the caller closes. */
  client: pg.Client
}

/** Finds the server of a data directory. `busy`: it is starting up or shutting down. */
export async function findServer(
  { cluster_path }: Home,
  application_name: string,
): Promise<FoundServer | 'absent' | 'busy'> {
  const file = readPostmasterFile(cluster_path)
  const client = file === undefined ? 'silent' : await probe(file, application_name)
  if (client === 'busy') return 'busy'
  if (client === 'silent') return 'absent'
  const serves = await orBusy(client, servesDirectory(client, cluster_path))
  if (serves === true) return { ...file!, client }
  await client.end().catch(() => {})
  return serves === 'busy' ? 'busy' : 'absent'
}

/** Closes the client if the step fails. `busy`: the server is down, so look again. */
export async function orBusy<Result>(
  client: pg.Client,
  step: Promise<Result>,
): Promise<Result | 'busy'> {
  try {
    return await step
  } catch (error) {
    await client.end().catch(() => {})
    if (isServerDown(error)) return 'busy'
    throw error
  }
}

/**
 * Whether the connected server runs on exactly this directory: it must see a file that was just
 * created there. A system identifier would be the same in a copy of the directory, whose
 * postmaster.pid refers to the server of the original.
 */
async function servesDirectory(client: pg.Client, cluster_path: string): Promise<boolean> {
  const name = `florin-probe-${randomBytes(8).toString('hex')}`
  const path = join(cluster_path, name)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  try {
    const { rows } = await client.query<{ found: boolean }>(
      'select (pg_stat_file($1, true)).size is not null as found',
      [name],
    )
    return rows[0]?.found === true
  } finally {
    await rm(path, { force: true })
  }
}

// A healthy server responds on a local socket within milliseconds, even under full load. A stopped
// one (SIGSTOP, a frozen container) accepts the connection and never responds.
const probe_timeout_ms = 2_000

type ServerAddress = Pick<PostmasterFile, 'socket_path' | 'port'>

/**
 * Connects to the maintenance database, which always exists and is never cloned or dropped.
 * `silent`: the server is down, or does not respond.
 */
export async function probe(
  address: ServerAddress,
  application_name: string,
): Promise<pg.Client | 'busy' | 'silent'> {
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

/** The connection was lost, or the server is shutting down. */
function isServerDown(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined
    ? /^Connection terminated|is not queryable/.test((error as Error).message)
    : code.startsWith('57P') || /^E(PIPE|CONN)/.test(code)
}
