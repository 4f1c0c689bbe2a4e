// Recovery: how long after `kill -9` the server takes payments again, and whether three processes
// can start at the same time on an empty database. Servers are restarted immediately, as a
// supervisor would.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { settingsOf } from '../test/simulation/servers/fleet.ts'
import { FlorinServer } from '../test/simulation/servers/florin-server.ts'
import type { Guard } from '../test/simulation/servers/guard-client.ts'
import {
  embeddedDatabase,
  externalDatabase,
  type RunDatabase,
} from '../test/simulation/servers/run-database.ts'
import { TcpProxy } from '../test/simulation/servers/tcp-proxy.ts'
import { findFreePort } from '../test/support/free-port.ts'
import type { Figure } from './figure.ts'
import { withFolder } from './processes.ts'
import { median } from './statistics.ts'

const max_recovery_ms = 5_000

interface RunFolder {
  guard: Guard
  directory: string
  log_fd: number
  log_path: string
}

/** A directory whose processes end with this one. */
function withRunFolder<Result>(
  guard: Guard,
  work: (folder: RunFolder) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (directory) => {
    guard.addDirectory(directory)
    mkdirSync(join(directory, 'data'))
    const log_path = join(directory, 'server.log')
    const log_fd = openSync(log_path, 'w', 0o600)
    try {
      return await work({ guard, directory, log_fd, log_path })
    } finally {
      closeSync(log_fd)
    }
  })
}

async function serverIn(
  folder: RunFolder,
  more: Record<string, string> = {},
): Promise<FlorinServer> {
  const port = await findFreePort()
  const env = { ...settingsOf(folder.directory, undefined), PORT: String(port), ...more }
  return new FlorinServer({ ...folder, port, env })
}

export function killRecovery(guard: Guard, rounds: number): Promise<Figure[]> {
  return withRunFolder(guard, async (folder) => {
    const server = await serverIn(folder)
    const database = embeddedDatabase(join(folder.directory, 'data'))
    await server.start()
    const starts = [await timeOf(() => restart(server))]
    const alone: number[] = []
    const together: number[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        // Every fourth round kills the database too. In the others it is orphaned and adopted.
        const both = round % 4 === 3
        const took_ms = await timeOf(() => killAndStart(server, both ? database : undefined))
        ;(both ? together : alone).push(took_ms)
      }
      starts.push(await timeOf(() => restart(server)))
    } finally {
      await server.stop()
    }
    const all = [...alone, ...together]
    const recovered = all.filter((ms) => ms <= max_recovery_ms).length
    const details = { alone_ms: alone, together_ms: together, start_after_stop_ms: starts }
    return [
      {
        name: `kill -9: recovered within 5 s, of ${rounds}`,
        value: recovered,
        unit: 'count',
        min: rounds,
        details,
      },
      { name: '  the slowest', value: Math.round(Math.max(...all)), unit: 'ms', details },
      { name: '  a start after SIGTERM', value: Math.round(median(starts)), unit: 'ms', details },
    ]
  })
}

async function killAndStart(
  server: FlorinServer,
  database: RunDatabase | undefined,
): Promise<void> {
  const pids = database === undefined ? [] : await database.pids()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await server.kill()
  await server.start()
}

async function restart(server: FlorinServer): Promise<void> {
  await server.stop()
  await server.start()
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const at_once = 3

/** Uses the embedded server of a running Florin, which can create an empty database per round. */
export function concurrentStarts(guard: Guard, rounds: number): Promise<Figure[]> {
  return withRunFolder(guard, async (folder) => {
    const host = await serverIn(folder)
    await host.start()
    const embedded = embeddedDatabase(join(folder.directory, 'data'))
    const proxy = new TcpProxy(async () => {
      const { host: path, port } = await embedded.connection()
      return { path: join(path!, `.s.PGSQL.${port}`) }
    })
    await proxy.listen()
    const url = `postgres://florin@127.0.0.1:${proxy.port}/postgres`
    const took_ms: number[] = []
    let failures = 0
    try {
      for (let round = 0; round < rounds; round++) {
        const started = performance.now()
        failures += await startSome(folder, url)
        took_ms.push(Math.round(performance.now() - started))
      }
    } finally {
      await proxy.close()
      await host.stop()
    }
    const name = `${at_once} concurrent starts on an empty database, ${rounds} times: failures`
    return [{ name, value: failures, unit: 'count', max: 0, details: { took_ms } }]
  })
}

async function startSome(folder: RunFolder, url: string): Promise<number> {
  const database = await externalDatabase(url)
  const servers: FlorinServer[] = []
  for (let number = 0; number < at_once; number++) {
    servers.push(await serverIn(folder, { DATABASE_URL: database.url.href }))
  }
  const ended = await Promise.allSettled(servers.map((server) => server.start()))
  const failed = ended.filter(({ status }) => status === 'rejected').length
  const retried_starts = servers.reduce((sum, server) => sum + server.failed_starts, 0)
  const stopped = await Promise.all(servers.map((server) => server.stop()))
  await database.remove()
  return failed + retried_starts + stopped.filter(({ code }) => code !== 0).length
}
