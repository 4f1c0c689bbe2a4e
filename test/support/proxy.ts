// A proxy between the pool and PostgreSQL that simulates failing networks and servers: it refuses
// connections, cuts them, drops all data, or delays it.

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Connection } from '../../src/postgres/database.ts'
import { findFreePort } from './free-port.ts'
import { StatementReader } from './statements.ts'

type SocketTarget = { path: string } | { host: string; port: number }

class DatabaseProxy {
  /** The connection settings for a pool behind this proxy. */
  readonly connection: Connection
  readonly #target: SocketTarget
  readonly #listen_address: SocketTarget
  readonly #pairs = new Set<Socket[]>()
  #server: Server | undefined
  #swallows = false
  #delay_ms = 0
  #held: (() => void)[] | undefined
  /** Called with the text of every statement on connections opened from now on. */
  onStatement: ((text: string) => void) | undefined

  constructor(connection: Connection, target: SocketTarget, listen_address: SocketTarget) {
    this.connection = connection
    this.#target = target
    this.#listen_address = listen_address
  }

  async listen(): Promise<void> {
    if (this.#server !== undefined) return
    const server = createServer((client) => this.#accept(client))
    await new Promise<void>((resolve) => server.listen(this.#listen_address, resolve))
    this.#server = server
  }

  /** Restores normal operation. Connections that were cut and dropped data stay lost. */
  async heal(): Promise<void> {
    if (this.#swallows) this.cut()
    this.#swallows = false
    this.#delay_ms = 0
    await this.listen()
  }

  /** Simulates a stopped PostgreSQL: closes open connections and stops listening. */
  async refuse(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.cut()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** Closes every connection, whatever it is doing. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    this.#pairs.clear()
  }

  /** Simulates an unplugged cable: connections stay open, but no data passes. */
  swallow(): void {
    this.#swallows = true
  }

  delay(ms: number): void {
    this.#delay_ms = ms
  }

  /** Queues all data, in order, until release. */
  hold(): void {
    this.#held ??= []
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const forward of held) forward()
  }

  #accept(client: Socket): void {
    const upstream = createConnection(this.#target as never)
    const pair = [client, upstream]
    this.#pairs.add(pair)
    if (this.onStatement) {
      const reader = new StatementReader(this.onStatement)
      client.on('data', (data) => reader.read(data as Buffer))
    }
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data) => this.#forward(data as Buffer, to))
      from.on('error', () => {})
      from.on('close', () => {
        if (!this.#swallows) to.destroy()
        this.#pairs.delete(pair)
      })
    }
  }

  #forward(data: Buffer, to: Socket): void {
    if (this.#swallows) return
    if (this.#held) this.#held.push(() => !to.destroyed && to.write(data))
    else this.#send(data, to)
  }

  #send(data: Buffer, to: Socket): void {
    if (this.#delay_ms === 0) to.write(data)
    else setTimeout(() => !to.destroyed && to.write(data), this.#delay_ms)
  }
}

/** Call it at the top of a test file. It registers its own cleanup. */
export async function startProxy(connection: Connection): Promise<DatabaseProxy> {
  const proxy = connection.connectionString
    ? await beforeTcp(connection.connectionString)
    : beforeSocket(connection)
  await proxy.listen()
  after(() => proxy.refuse())
  return proxy
}

function beforeSocket(connection: Connection): DatabaseProxy {
  const directory = mkdtempSync(join(tmpdir(), 'florin-proxy-'))
  after(() => rm(directory, { recursive: true, force: true }))
  const name = `.s.PGSQL.${connection.port ?? 5432}`
  const target = { path: join(connection.host!, name) }
  const listen_address = { path: join(directory, name) }
  return new DatabaseProxy({ ...connection, host: directory }, target, listen_address)
}

async function beforeTcp(connection_string: string): Promise<DatabaseProxy> {
  const url = new URL(connection_string)
  const target = { host: url.hostname, port: Number(url.port || 5432) }
  const port = await findFreePort()
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return new DatabaseProxy({ connectionString: url.href }, target, { host: '127.0.0.1', port })
}
