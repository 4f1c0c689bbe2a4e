import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { endWhenAborted } from './end-when-aborted.ts'
import { EmbeddedDatabaseError } from './errors.ts'
import { probe } from './find-server.ts'
import { supervisorName } from './owner-lock.ts'
import type { Home } from './prepare-home.ts'
import { openServerLog } from './server-log.ts'
import { serverSettings } from './server-settings.ts'
import type { ServerUser } from './server-user.ts'
import { port } from './socket-directory.ts'
import { spawnOnDirectory } from './spawn-on-directory.ts'

export interface ServerStartOptions {
  home: Home
  user: ServerUser
  native_path: string
  settings: Record<string, string>
  /** Receives what the operator should know. */
  warn: (message: string) => void
  /** Aborts the start. */
  signal?: AbortSignal | undefined
}

export interface ReadyServer {
  child: ChildProcess
  client: pg.Client
}

export interface EndedServer {
  /** What PostgreSQL wrote to its log before it ended. */
  log_tail: string
}

// Recovery replays at most about 1 GB of WAL (max_wal_size), which takes seconds. After this time
// the start fails with a message; the server continues, and the next start adopts it.
const ready_timeout_ms = 120_000

/** Starts PostgreSQL and waits until it accepts connections or exits. */
export async function startServer(
  starting: ServerStartOptions,
  socket_path: string,
): Promise<ReadyServer | EndedServer> {
  const { home, user, native_path } = starting
  const log = await openServerLog(home)
  try {
    const child = await spawnOnDirectory({
      program: join(native_path, 'bin', 'postgres'),
      directory: home.cluster_path,
      user,
      output: log.fd,
      detached: true,
      args: (directory) => ['-D', directory, ...serverSettings(starting.settings, socket_path)],
    })
    child.on('error', () => {})
    const ready = waitUntilReady(child, home, socket_path)
    const client = await endWhenAborted(child, starting.signal, ready)
    return client === 'ended' ? { log_tail: await log.readNew() } : { child, client }
  } finally {
    await log.close()
  }
}

async function waitUntilReady(
  child: ChildProcess,
  home: Home,
  socket_path: string,
): Promise<pg.Client | 'ended'> {
  const deadline_ms = performance.now() + ready_timeout_ms
  while (performance.now() < deadline_ms) {
    const probed = await probe({ socket_path, port }, supervisorName)
    if (typeof probed !== 'string') return probed
    if (child.exitCode !== null || child.signalCode !== null) return 'ended'
    await sleep(20)
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL was not ready within ${ready_timeout_ms / 1000} s and is still starting. ` +
      `See ${home.log_path}. Start Florin again to keep waiting.`,
  )
}
