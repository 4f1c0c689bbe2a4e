// Everything that a round runs: servers, their database, and proxies in front of both.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../support/free-port.ts'
import { type PatroniCluster, startPatroniCluster } from '../../support/patroni-cluster.ts'
import { type StandbyPair, startStandbyPair } from '../../support/standby-pair.ts'
import type { Options } from '../options.ts'
import { FlorinServer } from './florin-server.ts'
import type { Guard } from './guard-client.ts'
import {
  clusterDatabase,
  embeddedDatabase,
  externalDatabase,
  type RunDatabase,
  standbyPairDatabase,
} from './run-database.ts'
import { TcpProxy } from './tcp-proxy.ts'

export const admin = { email: 'admin@example.com', password: 'a password for chaos only' }

export interface Fleet {
  servers: FlorinServer[]
  /** The proxies that clients connect to, one per server. */
  fronts: TcpProxy[]
  /** The proxy between servers and database. The owner of an embedded database has none. */
  back: TcpProxy | undefined
  database: RunDatabase
  /** With --standby: the two servers of the database. */
  pair: StandbyPair | undefined
  /** With --patroni: etcd, two PostgreSQL servers under Patroni, and HAProxy. */
  cluster: PatroniCluster | undefined
  /** Environment for commands that run alongside the servers. */
  env: NodeJS.ProcessEnv
  directory: string
  /** Kills everything that is still running. */
  end(): Promise<void>
}

export async function openFleet(
  options: Options,
  guard: Guard,
  log_path: string,
  settings: Record<string, string> = {},
): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-chaos-'))
  guard.addDirectory(directory)
  mkdirSync(join(directory, 'data'), { recursive: true })
  const log_fd = openSync(log_path, 'w', 0o600)
  const pair = options.standby ? await openPair(guard) : undefined
  const cluster = options.patroni ? await openCluster(guard) : undefined
  const database = pair
    ? standbyPairDatabase(pair)
    : cluster
      ? clusterDatabase(cluster)
      : await openDatabase(options, directory)
  // Servers connect to both hosts of a pair, or to HAProxy, without a proxy of the runner.
  const back = pair || cluster ? undefined : await openBack(database, options)
  const env = { ...settingsOf(directory, options.plant), ...settings }
  const servers: FlorinServer[] = []
  const fronts: TcpProxy[] = []
  for (let number = 0; number < options.instances; number++) {
    const port = await findFreePort()
    const database_url = pair?.url ?? cluster?.url ?? urlFor(database, back, number)
    const server_env = {
      ...env,
      PORT: String(port),
      ...(database_url && { DATABASE_URL: database_url }),
    }
    servers.push(new FlorinServer({ port, env: server_env, log_fd, log_path, guard }))
    const front = new TcpProxy(async () => ({ host: '127.0.0.1', port }))
    await front.listen()
    fronts.push(front)
  }
  const url = pair?.url ?? ('url' in database && String(database.url))
  const command_env = { ...env, ...(url && { DATABASE_URL: url }) }
  return {
    servers,
    fronts,
    back,
    database,
    pair,
    cluster,
    env: command_env,
    directory,
    async end() {
      for (const server of servers) await server.kill()
      await endDatabase(database)
      for (const proxy of [...fronts, ...(back ? [back] : [])]) await proxy.close()
      await database.remove()
      closeSync(log_fd)
      if (pair) guard.forgetDirectory(pair.directory)
      for (const path of cluster?.directories ?? []) guard.forgetDirectory(path)
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      guard.forgetDirectory(directory)
    },
  }
}

async function openDatabase(
  { database }: Options,
  directory: string,
): Promise<RunDatabase & { url?: URL }> {
  return database === 'embedded'
    ? embeddedDatabase(join(directory, 'data'))
    : externalDatabase(database)
}

async function openPair(guard: Guard): Promise<StandbyPair> {
  const pair = await startStandbyPair({
    onStarted: (pid) => guard.addProcess(pid),
    onEnded: (pid) => guard.forgetProcess(pid),
  })
  guard.addDirectory(pair.directory)
  return pair
}

async function openCluster(guard: Guard): Promise<PatroniCluster> {
  return startPatroniCluster({
    onStarted: (pid) => guard.addProcess(pid),
    onEnded: (pid) => guard.forgetProcess(pid),
    onDirectory: (path) => guard.addDirectory(path),
  })
}

async function openBack(
  database: RunDatabase,
  { instances }: Options,
): Promise<TcpProxy | undefined> {
  if (database.kind === 'embedded' && instances === 1) return undefined
  const back = new TcpProxy(async () => {
    const { host, port, connectionString } = await database.connection()
    if (connectionString !== undefined) {
      const url = new URL(connectionString)
      return { host: url.hostname, port: Number(url.port || 5432) }
    }
    return { path: join(host!, `.s.PGSQL.${port}`) }
  })
  await back.listen()
  return back
}

/** The first server owns an embedded database; the others join it through the proxy. */
function urlFor(
  database: RunDatabase & { url?: URL },
  back: TcpProxy | undefined,
  number: number,
): string | undefined {
  if (back === undefined || (database.kind === 'embedded' && number === 0)) return undefined
  const url = new URL(database.url ?? 'postgres://florin@localhost/florin')
  url.hostname = '127.0.0.1'
  url.port = String(back.port)
  return url.href
}

export function settingsOf(directory: string, plant: string | undefined): NodeJS.ProcessEnv {
  const replaced = /^(FLORIN_|NODE_|HOST$|PORT$|DATABASE_URL$|NO_COLOR$|FORCE_COLOR$)/
  const inherited = Object.entries(process.env).filter(([name]) => !replaced.test(name))
  const hook = plant && new URL(`../planted/plant-hook.ts?${plant}`, import.meta.url).href
  return {
    ...Object.fromEntries(inherited),
    FLORIN_DATA: join(directory, 'data'),
    FLORIN_ADMIN_EMAIL: admin.email,
    FLORIN_ADMIN_PASSWORD: admin.password,
    FLORIN_RATE_LIMIT: 'off',
    FLORIN_SETTLE_AFTER: '2',
    FLORIN_WEBHOOK_ALLOW: '127.0.0.0/8',
    FLORIN_LOG: 'warn',
    ...(hook && { NODE_OPTIONS: `--import=${hook}` }),
  }
}

async function endDatabase(database: RunDatabase): Promise<void> {
  const pids = await database.pids().catch(() => [])
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already exited with its parent.
    }
  }
}
