// A real `florin start` on a separate database. It is killed while requests are stopped in it, and
// restarted on the same port. It runs without a worker, so only requests change the database.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, type Db, openDatabase } from '../../../src/postgres/database.ts'
import { envOf } from '../../cli/florin-process.ts'
import { toUrl } from '../../cli/shared-database.ts'
import { findFreePort } from '../../support/free-port.ts'
import { cloneDatabase, dropDatabase } from '../../support/postgres.ts'
import { runFolder } from '../../support/secrets.ts'
import { test_secret_key } from '../../support/totp.ts'
import type { PlantedBugName } from '../planted/planted-bugs.ts'
import { FlorinServer } from '../servers/florin-server.ts'
import { Guard } from '../servers/guard-client.ts'
import { heldLine, type Point } from './points.ts'

const hook = new URL('crash-hook.ts', import.meta.url).href
const plant_hook = new URL('../planted/plant-hook.ts', import.meta.url).href

// Requests time out after nine seconds, so a request that has not stopped by then never will.
const stop_timeout_ms = 10_000

export interface CrashableServer {
  url: string
  public_url: string
  /** A direct connection, for setup and checks. */
  db: Db
  connection: Connection
  start(): Promise<void>
  /** Waits until a request has stopped at its point. Returns false if it never does. */
  untilHeld(id: string, point: Point, isOver: () => boolean): Promise<boolean>
  kill(): Promise<void>
  remove(): Promise<void>
}

/** Optionally with a planted bug, which the matrix must find. */
export async function openCrashableServer(plant?: PlantedBugName): Promise<CrashableServer> {
  const { connection, name } = await cloneDatabase()
  const guard = new Guard()
  const directory = await mkdtemp(join(tmpdir(), 'florin-crash-'))
  guard.addDirectory(directory)
  const port = await findFreePort()
  const public_url = `http://localhost:${port}`
  // The last test of a complete run searches server logs for secrets.
  const log_path = join(runFolder('logs') ?? directory, `crash-points-${process.pid}-${port}.log`)
  const log_fd = openSync(log_path, 'a', 0o600)
  const env = envOf({
    PORT: String(port),
    DATABASE_URL: toUrl(connection, name),
    FLORIN_DATA: join(directory, 'data'),
    FLORIN_RATE_LIMIT: 'off',
    FLORIN_SECRET_KEY: test_secret_key,
    // A host name: passkeys are not available with an IP address.
    FLORIN_PUBLIC_URL: public_url,
    NODE_OPTIONS: [hook, ...(plant ? [`${plant_hook}?${plant}`] : [])]
      .map((url) => `--import=${url}`)
      .join(' '),
  })
  const settings = { port, env, log_fd, log_path, guard, args: ['--no-worker'] }
  const server = new FlorinServer(settings)
  const db = openDatabase(connection)
  return {
    url: `http://127.0.0.1:${port}`,
    public_url,
    db,
    connection,
    start: () => server.start(),
    kill: () => server.kill(),
    async untilHeld(id, point, isOver) {
      const line = heldLine(id, point)
      const until_ms = performance.now() + stop_timeout_ms
      while (!readFileSync(log_path, 'utf8').includes(line)) {
        if (isOver() || performance.now() > until_ms) return false
        await sleep(5)
      }
      return true
    },
    async remove() {
      await server.kill()
      await db.close()
      await dropDatabase(name)
      closeSync(log_fd)
      await rm(directory, { recursive: true, force: true })
      guard.forgetDirectory(directory)
      await guard.end()
    },
  }
}
