// A primary and its synchronous standby, built from the embedded PostgreSQL binaries, on two
// loopback ports. Tests and chaos runs stop, kill and promote them as an operator would.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { appendFile, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findPackage, prepareBinaries } from '../../src/embedded-postgres/prepare-binaries.ts'
import { prepareHome } from '../../src/embedded-postgres/prepare-home.ts'
import { chooseServerUser, type ServerUser } from '../../src/embedded-postgres/server-user.ts'
import type { Connection } from '../../src/postgres/database.ts'
import { findFreePort } from './free-port.ts'
import { ask } from './postgres.ts'

// A killed process loses nothing that it has written, so fsync is not needed.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  wal_retrieve_retry_interval: '100ms',
  lc_messages: 'C',
}

interface PairOptions {
  /** Runs once on the primary, before the standby is created. */
  prepare?: (connection: Connection) => Promise<void>
  onStarted?: (pid: number) => void
  onEnded?: (pid: number) => void
}

/** Starts two servers. The caller ends the pair. */
export async function startStandbyPair(options: PairOptions = {}): Promise<StandbyPair> {
  const { onStarted, onEnded } = options
  const installation = { ...(await makeServerInstallation()), onStarted, onEnded }
  const { directory } = installation
  const first = new PairServer(installation, 'first', await findFreePort())
  const second = new PairServer(installation, 'second', await findFreePort())
  const pair = new StandbyPair(directory, first, second)
  try {
    await first.initialize(options.prepare)
    await first.stop()
    await second.follow(first)
    await first.start({ synchronous_standby_names: '*' })
    await second.start()
    await pair.untilSynchronous()
    return pair
  } catch (error) {
    await pair.end()
    throw error
  }
}

async function makeServerInstallation(): Promise<ServerInstallation> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-pair-'))
  const home = await prepareHome(directory)
  const user = await chooseServerUser(home)
  const native_path = await prepareBinaries(await findPackage(), home, user)
  await chown(directory, user.uid, user.gid)
  return { directory, native_path, user }
}

/** Starts one server without a standby. The caller ends it. */
export async function startSingleServer(
  prepare?: PairOptions['prepare'],
): Promise<{ server: PairServer; installation: ServerInstallation; end(): Promise<void> }> {
  const installation = await makeServerInstallation()
  const server = new PairServer(installation, 'first', await findFreePort())
  await server.initialize(prepare)
  const end = async () => {
    await server.kill()
    await rm(installation.directory, {
      recursive: true,
      force: true,
      maxRetries: 5,
      retryDelay: 200,
    })
  }
  return { server, installation, end }
}

export class StandbyPair {
  readonly directory: string
  primary: PairServer
  standby: PairServer

  constructor(directory: string, primary: PairServer, standby: PairServer) {
    this.directory = directory
    this.primary = primary
    this.standby = standby
  }

  /** Lists both hosts, in the same order whichever is the primary. */
  get url(): string {
    const ports = [this.primary.port, this.standby.port].sort((one, other) => one - other)
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    return `postgres://florin@${hosts}/florin?target_session_attrs=read-write`
  }

  /** Waits until commits on the primary wait for this standby. */
  async untilSynchronous(): Promise<void> {
    const text = `select 1 from pg_stat_replication where sync_state in ('sync', 'quorum')`
    await untilTrue('the standby follows', async () => {
      return (await ask(this.primary.connection, text)).rowCount! > 0
    })
  }

  /** Returns the backends whose COMMIT waits for the standby. */
  async waiting(): Promise<number[]> {
    const text = `select pid from pg_stat_activity
      where wait_event = 'SyncRep' and application_name = 'florin'`
    return (await ask(this.primary.connection, text)).rows.map((row) => row.pid)
  }

  /** Kills the primary and promotes the standby, which then runs without a standby. */
  async failOver(): Promise<void> {
    await this.primary.kill()
    await this.standby.start()
    // Without waiting: the snapshot of a waiting session could block recovery.
    await ask(this.standby.connection, 'select pg_promote(false)')
    await untilTrue('the standby is promoted', async () => {
      const { rows } = await ask(
        this.standby.connection,
        'select pg_is_in_recovery() as is_standby',
      )
      return !rows[0].is_standby
    })
    const former = this.primary
    this.primary = this.standby
    this.standby = former
  }

  /** Rebuilds the former primary, whose data is outdated, as the standby of the new one. */
  async rejoin(): Promise<void> {
    await this.primary.stop()
    await this.standby.follow(this.primary)
    await this.primary.start({ synchronous_standby_names: '*' })
    // If it is promoted, it has no standby to wait for.
    await this.standby.start({ synchronous_standby_names: '' })
    await this.untilSynchronous()
  }

  async end(): Promise<void> {
    await Promise.all([this.primary.kill(), this.standby.kill()])
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

export interface ServerInstallation {
  directory: string
  native_path: string
  user: ServerUser
  onStarted?: ((pid: number) => void) | undefined
  onEnded?: ((pid: number) => void) | undefined
}

export class PairServer {
  readonly port: number
  readonly #installation: ServerInstallation
  readonly #data_path: string
  readonly #log_path: string
  #child: ChildProcess | undefined
  #settings: Record<string, string> = {}

  constructor(installation: ServerInstallation, name: string, port: number) {
    this.port = port
    this.#installation = installation
    this.#data_path = join(installation.directory, name)
    this.#log_path = join(installation.directory, `${name}.log`)
  }

  get connection(): { host: string; port: number; user: string; database: string } {
    return { host: '127.0.0.1', port: this.port, user: 'florin', database: 'florin' }
  }

  get url(): string {
    return `postgres://florin@127.0.0.1:${this.port}/florin`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Creates the cluster and its database, and leaves it running. */
  async initialize(prepare?: PairOptions['prepare']): Promise<void> {
    const { native_path, user } = this.#installation
    const { uid, gid } = user
    await mkdir(this.#data_path, { mode: 0o700 })
    await chown(this.#data_path, uid, gid)
    const args = ['-D', this.#data_path, '-U', 'florin', '-A', 'trust', '-E', 'UTF8', '-N']
    const locale = ['--locale=C', '--data-checksums', '--no-instructions']
    const options = { cwd: '/', env: { LC_ALL: 'C' }, ...(user.switched && { uid, gid }) }
    await promisify(execFile)(join(native_path, 'bin/initdb'), [...args, ...locale], options)
    await this.start()
    await ask({ ...this.connection, database: 'postgres' }, 'create database florin')
    await prepare?.(this.connection)
  }

  /** Becomes the standby of a stopped primary. */
  async follow(primary: PairServer): Promise<void> {
    const { uid, gid } = this.#installation.user
    await rm(this.#data_path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    await cp(primary.#data_path, this.#data_path, { recursive: true })
    const from = `host=127.0.0.1 port=${primary.port} user=florin application_name=standby`
    const config = join(this.#data_path, 'postgresql.auto.conf')
    await appendFile(config, `primary_conninfo = '${from}'\n`)
    await writeFile(join(this.#data_path, 'standby.signal'), '')
    if (process.getuid?.() === 0) {
      await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, this.#data_path])
    }
    await promisify(execFile)('chmod', ['700', this.#data_path])
  }

  /** Starts the server. Settings passed here also apply to later starts. */
  async start(more: Record<string, string> = {}): Promise<void> {
    if (this.#child !== undefined) return
    this.#settings = { ...this.#settings, ...more }
    const { native_path, user, onStarted, onEnded } = this.#installation
    const all = { ...settings, ...this.#settings, port: String(this.port) }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const log = openSync(this.#log_path, 'a')
    const child = spawn(join(native_path, 'bin/postgres'), ['-D', this.#data_path, ...args], {
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      ...(user.switched && { uid: user.uid, gid: user.gid }),
    })
    closeSync(log)
    this.#child = child
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
      onEnded?.(child.pid!)
    })
    onStarted?.(child.pid!)
    await untilTrue(`the server ${this.#data_path} responds`, async () => {
      if (this.#child !== child) throw new Error(`the server exited; see ${this.#log_path}`)
      await ask({ ...this.connection, database: 'postgres' }, 'select 1')
      return true
    })
  }

  stop(): Promise<void> {
    return this.#end('SIGINT')
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  // The child processes of a killed postmaster exit by themselves a moment later.
  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

export async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline_ms = performance.now() + 60_000
  for (;;) {
    let failure: unknown
    const is = await isTrue().catch((error) => {
      failure = error
      return false
    })
    if (is) return
    if (performance.now() > deadline_ms) {
      throw new Error(`timed out after a minute: ${what}`, { cause: failure })
    }
    await sleep(50)
  }
}
