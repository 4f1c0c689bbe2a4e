// Runs PgBouncer in front of a server. FLORIN_TEST_PGBOUNCER names the binary; the default is the
// system's. Without one, these tests are skipped.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from '../../src/postgres/database.ts'
import { findFreePort } from './free-port.ts'
import { ask } from './postgres.ts'
import type { PairServer, ServerInstallation } from './standby-pair.ts'
import { until } from './until.ts'

const program = process.env.FLORIN_TEST_PGBOUNCER ?? '/usr/sbin/pgbouncer'

/** For example [1, 21]; undefined if PgBouncer is not installed. */
const version = existsSync(program) ? readVersion() : undefined

function readVersion(): [number, number] {
  const found = /PgBouncer (\d+)\.(\d+)/.exec(
    execFileSync(program, ['--version'], { encoding: 'utf8' }),
  )
  return [Number(found![1]), Number(found![2])]
}

export const without_pgbouncer =
  version === undefined && `${program} is missing: install pgbouncer, or set FLORIN_TEST_PGBOUNCER`

const can_prepare = version !== undefined && (version[0] > 1 || version[1] >= 21)

export const without_prepared_statements =
  without_pgbouncer ||
  (!can_prepare && `${program} is older than 1.21: set FLORIN_TEST_PGBOUNCER to a newer one`)

interface PgBouncer {
  connection: Connection & { connectionString: string }
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  pool_mode: 'session' | 'transaction'
  default_pool_size?: number
  max_prepared_statements?: number
}

export async function startPgBouncer(
  server: PairServer,
  installation: ServerInstallation,
  options: PgBouncerOptions,
): Promise<PgBouncer> {
  const port = await findFreePort()
  const { max_prepared_statements = 0, default_pool_size = 30, pool_mode } = options
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port} user=florin`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${pool_mode}`,
    `default_pool_size = ${default_pool_size}`,
    ...(can_prepare ? [`max_prepared_statements = ${max_prepared_statements}`] : []),
  ]
  const ini_path = join(installation.directory, `pgbouncer-${port}.ini`)
  await writeFile(ini_path, `${lines.join('\n')}\n`)
  const { uid, gid, switched } = installation.user
  await chown(ini_path, uid, gid)
  const child = spawn(program, ['-q', ini_path], {
    cwd: '/',
    stdio: 'ignore',
    ...(switched && { uid, gid }),
  })
  const ended = once(child, 'exit')
  const connectionString = `postgres://florin@127.0.0.1:${port}/florin`
  const responds = () => ask({ connectionString }, 'select 1').then(Boolean, () => false)
  await until(responds, 'PgBouncer responds')
  return {
    connection: { connectionString },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
