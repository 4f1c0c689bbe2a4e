import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { acquireServer, type OwnedServer } from './acquire-server.ts'
import { chooseServerUser } from './choose-server-user.ts'
import { createCluster } from './create-cluster.ts'
import { database, ensureDatabase } from './ensure-database.ts'
import { inspectCluster } from './inspect-cluster.ts'
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.ts'
import { findPackage, prepareBinaries } from './prepare-binaries.ts'
import { explainHome, findHome, type Home, prepareHome } from './prepare-home.ts'
import { isServerDown, probe } from './probe.ts'
import { servesDirectory } from './serves-directory.ts'
import { port } from './socket-directory.ts'
import { stopServer } from './stop-server.ts'
import { superviseServer } from './supervise-server.ts'
import { clearTemporaryDirectories } from './temporary-directory.ts'
import { role } from './write-access-rules.ts'

export interface EmbeddedDatabase {
  /** what a pg.Pool or pg.Client needs to connect; host is the socket's directory */
  connection: { host: string; port: number; user: string; database: string }
  version: string
  data_path: string
  /** a new cluster, an existing one, or a server that an earlier process left running */
  started: 'new' | 'started' | 'adopted'
  /** Stops the database and waits for it. To be called last, when the pool is closed. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  data_path: string
  /** settings of PostgreSQL; tests turn fsync off */
  settings?: Record<string, string>
  /** told what went wrong while the database is kept; a warning of the process by default */
  warn?: (message: string) => void
  /** aborted when it is no longer wanted before it is open */
  signal?: AbortSignal | undefined
}

/** Opens the embedded database of a data directory, and owns it until stop() or the end. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await open(options)
  } catch (error) {
    throw await explainHome(options.data_path, error)
  }
}

async function open(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { settings = {}, warn = warnProcess, signal } = options
  const package_path = await findPackage()
  const home = await prepareHome(options.data_path)
  await clearTemporaryDirectories(home)
  const presence = await inspectCluster(home)
  const user = await chooseServerUser(home)
  const native_path = await prepareBinaries(package_path, home, user)
  const starting = { home, user, native_path, settings, signal }
  signal?.throwIfAborted()
  const made = presence === 'absent' && (await createCluster(starting))

  const server = await acquireServer(starting)
  const version = await readyOrStop(server, home, warn)
  // What is open is ended by stop() alone, when whoever uses it is done.
  const keeper = superviseServer(server, { ...starting, signal: undefined }, warn)
  return {
    connection: { host: server.socket_path, port, user: role, database },
    version,
    data_path: home.data_path,
    started: server.child === undefined ? 'adopted' : made ? 'new' : 'started',
    stop: () => keeper.stop(),
  }
}

function warnProcess(message: string): void {
  process.emitWarning(message, { type: 'EmbeddedDatabaseWarning' })
}

async function readyOrStop(
  server: OwnedServer,
  home: Home,
  warn: (message: string) => void,
): Promise<string> {
  try {
    return await ensureDatabase(server.client)
  } catch (error) {
    await stopServer(server, home, warn)
    throw error
  }
}

/**
 * The live server of a data directory, for commands that join it without owning it; undefined
 * when none is running.
 */
export async function findRunningEmbedded(
  data_path: string,
): Promise<(EmbeddedDatabase['connection'] & { pid: number }) | undefined> {
  try {
    const home = await findHome(data_path)
    const file = home && (await findLiveServer(home))
    return file && { host: file.socket_path, port: file.port, user: role, database, pid: file.pid }
  } catch (error) {
    throw await explainHome(data_path, error)
  }
}

// A visitor who comes while the server is starting or stopping waits for the outcome: a start takes
// less than a second, so this long only for recovery after a crash.
const visit_timeout_ms = 10_000

async function findLiveServer(home: Home): Promise<PostmasterFile | undefined> {
  const deadline_ms = performance.now() + visit_timeout_ms
  while (performance.now() < deadline_ms) {
    const file = await readPostmasterFile(home.cluster_path)
    if (file === undefined) return undefined
    const client = await probe(file, 'florin visitor')
    if (client === 'silent') return undefined
    const served = client === 'busy' ? 'busy' : await findServed(client, file, home)
    if (served !== 'busy') return served
    await sleep(100)
  }
  return undefined
}

async function findServed(
  client: pg.Client,
  file: PostmasterFile,
  home: Home,
): Promise<PostmasterFile | undefined | 'busy'> {
  try {
    return (await servesDirectory(client, home.cluster_path)) ? file : undefined
  } catch (error) {
    if (isServerDown(error)) return 'busy'
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
