// The database of a run: the embedded one of the first server, which may be killed and restart at
// another address, or a new database on an external server.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { readPostmasterFile } from '../../../src/embedded-postgres/find-server.ts'
import type { PatroniCluster } from '../../support/patroni-cluster.ts'
import type { StandbyPair } from '../../support/standby-pair.ts'

export interface RunDatabase {
  kind: 'embedded' | 'external'
  /** Connection settings for the runner's own sessions, without a proxy. */
  connection(): Promise<pg.ClientConfig>
  /** The embedded server and its backends; empty for an external server. */
  pids(): Promise<number[]>
  remove(): Promise<void>
}

export function embeddedDatabase(data_path: string): RunDatabase {
  const find = async () => {
    const file = await readPostmasterFile(join(data_path, 'postgres'))
    if (file === undefined) throw new Error('the embedded database is not running')
    return file
  }
  return {
    kind: 'embedded',
    async connection() {
      const { socket_path, port } = await find()
      return { host: socket_path, port, user: 'florin', database: 'florin' }
    },
    async pids() {
      const { pid } = await find()
      return [pid, ...(await childrenOf(pid))]
    },
    remove: async () => {},
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!)
}

/** A primary with a synchronous standby. They swap roles in each failover. */
export function standbyPairDatabase(pair: StandbyPair): RunDatabase {
  return {
    kind: 'external',
    connection: async () => pair.primary.connection,
    pids: async () => [],
    remove: () => pair.end(),
  }
}

/** A cluster whose primary is found by HAProxy. */
export function clusterDatabase(cluster: PatroniCluster): RunDatabase & { url: URL } {
  return {
    kind: 'external',
    url: new URL(cluster.url),
    connection: async () => ({ connectionString: cluster.url }),
    pids: async () => [],
    remove: () => cluster.end(),
  }
}

export async function externalDatabase(url_text: string): Promise<RunDatabase & { url: URL }> {
  const name = `florin_chaos_${randomBytes(6).toString('hex')}`
  await query(url_text, `create database ${name}`)
  const url = new URL(url_text)
  url.pathname = `/${name}`
  return {
    kind: 'external',
    url,
    connection: async () => ({ connectionString: url.href }),
    pids: async () => [],
    remove: () => query(url_text, `drop database if exists ${name} with (force)`),
  }
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
