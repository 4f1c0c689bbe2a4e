import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedDatabaseError } from './errors.ts'
import { probe } from './find-server.ts'
import { supervisorName } from './owner-lock.ts'
import type { Home } from './prepare-home.ts'
import { openServerLog } from './server-log.ts'
import type { ServerUser } from './server-user.ts'
import { port } from './socket-directory.ts'
import { endWhenAborted, spawnOnDirectory } from './spawn-on-directory.ts'

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

interface ReadyServer {
  child: ChildProcess
  client: pg.Client
}

interface EndedServer {
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

// Passed on the command line at every start, where they override postgresql.conf, so a new version
// of Florin also changes them for existing data directories.
const defaults: Record<string, string> = {
  // Commits survive a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // PostgreSQL's defaults, set explicitly because initdb lowers them on a small machine.
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  // In memory and on SSDs, random reads cost little more than sequential ones. With the default of
  // 4, for spinning disks, a batch of settlements scanned all pending rows instead of an index:
  // 1,240 settlements per second, and 3,320 with this value.
  random_page_cost: '1.1',
  // After a crash of a backend process the server exits, and Florin restarts it. PostgreSQL's own
  // restart can fail on a full disk and leave a postmaster that accepts no connections and prevents
  // another server from starting.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // explain-failure.ts matches the English messages.
  lc_messages: 'C',
  // Terse omits DETAIL and CONTEXT, which would write row values to the log.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** The settings as arguments. No setting may open the server to the network or to other users. */
function serverSettings(chosen: Record<string, string>, socket_path: string): string[] {
  const settings = {
    ...defaults,
    ...chosen,
    listen_addresses: '',
    unix_socket_directories: socket_path,
    unix_socket_permissions: '0700',
    port: String(port),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
