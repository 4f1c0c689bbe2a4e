// A whole Florin for a test file: real database, real HTTP on a free port of loopback. After every
// test the books must balance; at the end nothing may be left open.

import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { type Connection, type Db, openDatabase } from '../../src/postgres/database.ts'
import type { LaneOptions } from '../../src/transactions/lanes.ts'
import { type ApiResponse, type CallOptions, call } from './call.ts'
import { dumpDatabase } from './dump-database.ts'
import { hashDatabase } from './hash-database.ts'
import { assertVerifyPasses, checkInvariants } from './invariants.ts'
import { People } from './people.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from './postgres.ts'
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
  /** A second process's worth of server on the same database, or through a proxy before it. */
  startSecondServer(env?: Record<string, string>, through?: Connection): Promise<SecondServer>
}

/** Half of all tests leave the database as they found it: its books were looked at then. */
function checkWhatChanged(db: Db): () => Promise<void> {
  let checked: string | undefined
  return async () => {
    const hash = JSON.stringify(await hashDatabase(db.pool))
    if (hash === checked) return
    await checkInvariants(db.pool)
    await assertVerifyPasses(db)
    checked = hash
  }
}

export interface SecondServer {
  url: string
  app: FastifyInstance
  db: Db
  config: Config
  call: Florin['call']
  close(): Promise<void>
}

/** For a server in live mode; its database is the one of the test, whatever is named here. */
export const live_env = {
  FLORIN_MODE: 'live',
  DATABASE_URL: 'postgres://nobody@localhost/nothing',
  FLORIN_PUBLIC_URL: 'https://pay.example',
  FLORIN_PROCESSOR: 'manual',
}

/**
 * A machine that stands still for a second refuses whoever waited in a lane for that long, and is
 * right. Only tests of just that want it so.
 */
export const patient: LaneOptions = { age_max_ms: 20_000 }

/** Call it at the top of a test file; it cleans up after itself. */
export async function startFlorin(
  env: Record<string, string> = {},
  lane_options = patient,
): Promise<Florin> {
  const { connection, name } = await cloneDatabase()
  const db = openDatabase(connection)
  const first = await serve(db, env, lane_options)
  const others: { close(): Promise<void> }[] = []
  afterEach(checkWhatChanged(db))
  after(async () => {
    for (const other of others) await other.close()
    await first.app.close()
    await dumpDatabase((text) => db.pool.query(text), name)
    await db.close()
    await dropDatabase(name)
    await stopOwnServer()
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

/** A server on a database that the test has made; the caller closes it. */
export async function serveOn(
  connection: Connection,
  env: Record<string, string> = {},
  lane_options = patient,
): Promise<SecondServer> {
  const db = openDatabase(connection)
  const served = await serve(db, env, lane_options)
  return {
    ...served,
    db,
    call: (method, path, options) => call(served.url, method, path, options),
    async close() {
      await served.app.close()
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
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, config }
}
