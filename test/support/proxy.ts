// A proxy of ours between the pool and PostgreSQL, which can do to connections what networks and
// failing servers do: refuse them, cut them, swallow everything, or take their time.

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

export class DatabaseProxy {
  /** What a pool behind this proxy connects to. */
  readonly connection: Connection
  readonly #target: SocketTarget
  readonly #place: SocketTarget
  readonly #pairs = new Set<Socket[]>()
  #server: Server | undefined
  #swallows = false
  #delay_ms = 0
  #held: (() => void)[] | undefined
  /** Told every statement that comes on connections opened from now on, by its text. */
  onStatement: ((text: string) => void) | undefined

  constructor(connection: Connection, target: SocketTarget, place: SocketTarget) {
    this.connection = connection
    this.#target = target
    this.#place = place
  }

  async listen(): Promise<void> {
    if (this.#server !== undefined) return
    const server = createServer((client) => this.#accept(client))
    await new Promise<void>((resolve) => server.listen(this.#place, resolve))
    this.#server = server
  }

  /** All is well again; what was cut or swallowed stays lost. */
  async heal(): Promise<void> {
    if (this.#swallows) this.cut()
    this.#swallows = false
    this.#delay_ms = 0
    await this.listen()
  }

  /** As when PostgreSQL is stopped: what is open ends, and nobody listens. */
  async refuse(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.cut()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** Every connection is lost in the middle of whatever it was doing. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    this.#pairs.clear()
  }

  /** As when a cable is pulled: connections stay open and nothing comes through. */
  swallow(): void {
    this.#swallows = true
  }

  delay(ms: number): void {
    this.#delay_ms = ms
  }

  /** Everything waits, in its order, until it is let go. */
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

/** Call it at the top of a test file; it cleans up after itself. */
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
  const place = { path: join(directory, name) }
  return new DatabaseProxy({ ...connection, host: directory }, target, place)
}

async function beforeTcp(connection_string: string): Promise<DatabaseProxy> {
  const url = new URL(connection_string)
  const target = { host: url.hostname, port: Number(url.port || 5432) }
  const port = await findFreePort()
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return new DatabaseProxy({ connectionString: url.href }, target, { host: '127.0.0.1', port })
}
