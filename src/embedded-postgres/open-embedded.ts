import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../postgres/connect.ts'
import { acquireServer, type OwnedServer } from './acquire-server.ts'
import { claimDirectory } from './claim-directory.ts'
import { createCluster } from './create-cluster.ts'
import { findServer, type PostmasterFile, readPostmasterFile } from './find-server.ts'
import { inspectCluster } from './inspect-cluster.ts'
import { findPackage, prepareBinaries } from './prepare-binaries.ts'
import { explainHome, findHome, type Home, prepareHome } from './prepare-home.ts'
import { chooseServerUser } from './server-user.ts'
import { port } from './socket-directory.ts'
import type { ServerStartOptions } from './start-server.ts'
import { stopServer } from './stop-server.ts'
import { superviseServer } from './supervise-server.ts'
import { clearTemporaryFolders } from './temporary-folder.ts'
import { role } from './write-access-rules.ts'

const database = 'florin'

export interface EmbeddedDatabase {
  /** `host` is the directory of the socket. */
  connection: Connection & { host: string }
  version: string
  data_path: string
  /** A new cluster, an existing one, or a server that an earlier process left running. */
  started: 'new' | 'started' | 'adopted'
  /** Stops the database and waits for its end. Call it last, after the pool is closed. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
  data_path: string
  /** PostgreSQL settings; tests turn fsync off. */
  settings?: Record<string, string>
  /** Receives failures while the database is supervised; by default a process warning. */
  warn?: (message: string) => void
  /** Aborts the opening. */
  signal?: AbortSignal | undefined
}

/** Opens the embedded database of a data directory. The process owns it until stop() or exit. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await open(options)
  } catch (error) {
    throw await explainHome(options.data_path, error)
  }
}

async function open(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const package_path = await findPackage()
  const home = await prepareHome(options.data_path)
  const release = await claimDirectory(home, options.signal)
  try {
    const database = await openClaimed(options, home, package_path)
    return { ...database, stop: () => database.stop().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function openClaimed(
  options: EmbeddedOptions,
  home: Home,
  package_path: string,
): Promise<EmbeddedDatabase> {
  const { settings = {}, warn = warnProcess, signal } = options
  await clearTemporaryFolders(home.cluster_path)
  const presence = await inspectCluster(home)
  const user = await chooseServerUser(home)
  const native_path = await prepareBinaries(package_path, home, user)
  const starting = { home, user, native_path, settings, warn, signal }
  signal?.throwIfAborted()
  const created = presence === 'absent' && (await createCluster(starting))

  const server = await acquireServer(starting)
  const version = await ensureDatabase(server, starting)
  // Once open, only stop() ends the database; the abort signal no longer applies.
  const supervisor = superviseServer(server, { ...starting, signal: undefined })
  return {
    connection: connectionTo(server.socket_path),
    version,
    data_path: home.data_path,
    started: server.child === undefined ? 'adopted' : created ? 'new' : 'started',
    stop: () => supervisor.stop(),
  }
}

// A private socket has no TLS, whatever PGSSLMODE in the environment requires.
function connectionTo(host: string): EmbeddedDatabase['connection'] {
  return { host, port, user: role, database, ssl: false }
}

function warnProcess(message: string): void {
  process.emitWarning(message, { type: 'EmbeddedDatabaseWarning' })
}

/** Creates Florin's database if it is missing. Returns the server version. */
async function ensureDatabase(server: OwnedServer, starting: ServerStartOptions): Promise<string> {
  try {
    const { rows } = await server.client.query<{ version: string; present: boolean }>(
      `select current_setting('server_version') as version,
              exists (select from pg_database where datname = $1) as present`,
      [database],
    )
    // No other process can create it concurrently: this connection holds the owner lock.
    if (!rows[0]!.present) await server.client.query(`create database ${database}`)
    return rows[0]!.version
  } catch (error) {
    await stopServer(server, starting)
    throw error
  }
}

/**
 * The running server of a data directory, for commands that join it without owning it; undefined
 * if none is running.
 */
export async function findRunningEmbedded(
  data_path: string,
): Promise<(EmbeddedDatabase['connection'] & { pid: number }) | undefined> {
  try {
    const home = await findHome(data_path)
    if (home === undefined) return undefined
    const file = await findLiveServer(home)
    if (file === undefined) return undefined
    const findHost = () => readPostmasterFile(home.cluster_path)?.socket_path
    return { ...connectionTo(file.socket_path), findHost, pid: file.pid }
  } catch (error) {
    throw await explainHome(data_path, error)
  }
}

// How long to wait for a server that is starting or stopping. A start takes less than a second; the
// rest is for recovery after a crash.
const join_timeout_ms = 10_000

async function findLiveServer(home: Home): Promise<PostmasterFile | undefined> {
  const deadline_ms = performance.now() + join_timeout_ms
  while (performance.now() < deadline_ms) {
    const found = await findServer(home, 'florin probe')
    if (found === 'absent') return undefined
    if (found !== 'busy') {
      await found.client.end().catch(() => {})
      return found
    }
    await sleep(100)
  }
  return undefined
}
