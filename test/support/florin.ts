// A complete Florin for a test file: a real database, and HTTP on a free loopback port. After every
// test the invariants must hold. At the end `florin verify` must pass, and no handle may stay open.

import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import type { LaneOptions } from '../../src/lanes/account-lanes.ts'
import { type Connection, type Db, openDatabase } from '../../src/postgres/database.ts'
import { type ApiResponse, type CallOptions, call } from './call.ts'
import { dumpDatabase } from './dump-database.ts'
import { assertVerifyPasses, checkInvariants } from './invariants.ts'
import { People } from './people.ts'
import { returnDatabase, takeDatabase } from './reused-database.ts'
import { runFolder } from './secrets.ts'

export interface Florin {
  url: string
  app: FastifyInstance
  db: Db
  config: Config
  people: People
  /** The name of this file's database. */
  database: string
  connection: Connection
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  /** Starts a second server on the same database, or through a proxy in front of it. */
  startSecondServer(env?: Record<string, string>, through?: Connection): Promise<SecondServer>
}

export interface SecondServer {
  url: string
  app: FastifyInstance
  db: Db
  config: Config
  call: Florin['call']
  close(): Promise<void>
}

/** Settings of a live server. It still uses the test's database, not the URL given here. */
export const live_env = {
  FLORIN_MODE: 'live',
  DATABASE_URL: 'postgres://florin@localhost/unused',
  FLORIN_PUBLIC_URL: 'https://pay.example',
  FLORIN_PROCESSOR: 'manual',
}

/**
 * Lanes reject entries that have waited too long. If the machine stalls for a second, that would
 * fail unrelated tests, so the limit is raised. Tests of the limit itself set their own.
 */
export const patient: LaneOptions = { age_max_ms: 20_000 }

/**
 * Call it at the top of a test file. It registers its own cleanup. Connecting may take longer than
 * in production, for the same reason.
 */
export async function startFlorin(
  env: Record<string, string> = {},
  lane_options = patient,
): Promise<Florin> {
  const database = await takeDatabase()
  const { db, connection, name } = database
  db.pool.options.connectionTimeoutMillis = 15_000
  const first = await serve(db, env, lane_options)
  const others: { close(): Promise<void> }[] = []
  afterEach(() => checkInvariants(db.pool))
  after(async () => {
    for (const other of others) await other.close()
    await first.app.close()
    try {
      await assertVerifyPasses(db)
    } finally {
      await dumpDatabase((text) => db.pool.query(text), name)
      await returnDatabase(database)
    }
  })
  return {
    ...first,
    db,
    connection,
    database: name,
    people: new People(db),
    call: (method, path, options) => call(first.url, method, path, options),
    async startSecondServer(more = {}, through = connection) {
      const second = await serveOn(through, { ...env, ...more }, lane_options)
      others.push({ close: second.close })
      return { ...second, close: async () => {} }
    },
  }
}

/** Starts a server on a database that the test created. The caller closes it. */
export async function serveOn(
  connection: Connection,
  env: Record<string, string> = {},
  lane_options = patient,
): Promise<SecondServer> {
  const db = openDatabase(connection)
  // Some tests start a server on a database that it must reject.
  await db.shards.load(db).catch(() => {})
  const server = await serve(db, env, lane_options)
  return {
    ...server,
    db,
    call: (method, path, options) => call(server.url, method, path, options),
    async close() {
      await server.app.close()
      await db.close()
    },
  }
}

async function serve(db: Db, env: Record<string, string>, lane_options: LaneOptions) {
  const config = readConfig({ PORT: '0', FLORIN_RATE_LIMIT: 'off', ...env })
  const logs = runFolder('logs')
  const file = logs && join(logs, `${process.pid}.log`)
  const log = file
    ? pino({ level: 'trace' }, pino.destination({ dest: file, sync: true, append: true }))
    : pino({ level: 'silent' })
  const app = await buildApp({ db, log, config, version: '0.0.0-test', lane_options })
  const url = await app.listen({ host: '127.0.0.1', port: config.port })
  return { app, url, config }
}
