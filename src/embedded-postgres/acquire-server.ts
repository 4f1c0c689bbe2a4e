import type { ChildProcess } from 'node:child_process'
import { rmdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedDatabaseError } from './errors.ts'
import { explainFailure, isInUseByAnother } from './explain-failure.ts'
import { findServer, orBusy, readPostmasterFile } from './find-server.ts'
import { supervisorName, takeOwnerLock } from './owner-lock.ts'
import { removeStaleLocks } from './remove-stale-locks.ts'
import {
  clearSocketDirectories,
  makeSocketDirectory,
  removeSocketDirectory,
  secureSocketDirectory,
} from './socket-directory.ts'
import { type ServerStartOptions, startServer } from './start-server.ts'
import { writeAccessRules } from './write-access-rules.ts'

/** A server whose owner lock this process holds. */
export interface OwnedServer {
  socket_path: string
  /** The connection that holds the lock. */
  client: pg.Client
  /** Absent if the server was adopted. */
  child?: ChildProcess
}

// How long to wait for a server that is shutting down, or that another process is starting.
const wait_max_ms = 30_000

/**
 * Adopts the server that already runs on this data directory, or starts one. PostgreSQL's lock file
 * and the owner lock ensure that exactly one of several concurrent processes succeeds. A restart
 * passes the socket directory that the connections of the process already use.
 */
export async function acquireServer(
  starting: ServerStartOptions,
  socket_path?: string,
): Promise<OwnedServer> {
  const deadline_ms = performance.now() + wait_max_ms
  while (performance.now() < deadline_ms) {
    starting.signal?.throwIfAborted()
    let outcome = await adopt(starting)
    if (outcome === 'absent') outcome = await start(starting, socket_path)
    if (typeof outcome !== 'string') return outcome
    await sleep(100)
  }
  const pid = readPostmasterFile(starting.home.cluster_path)?.pid
  throw new EmbeddedDatabaseError(
    `Process ${pid} owns ${starting.home.cluster_path}, but no database responds there. ` +
      'If it is PostgreSQL, stop it. If it is another program, delete postmaster.pid there.',
  )
}

async function adopt({ home }: ServerStartOptions): Promise<OwnedServer | 'absent' | 'busy'> {
  const found = await findServer(home, supervisorName)
  if (typeof found === 'string') return found
  const { client, socket_path } = found
  return (await orBusy(client, takeOwnerLock(client))) ?? { socket_path, client }
}

async function start(
  starting: ServerStartOptions,
  previous_path?: string,
): Promise<OwnedServer | 'busy'> {
  const { home, user } = starting
  await writeAccessRules(home.cluster_path, home, user)
  const socket_path = previous_path ?? (await makeSocketDirectory(home, user))
  // A cleanup of /tmp may have deleted it while the server was down.
  if (previous_path !== undefined) await secureSocketDirectory(previous_path, user)
  await removeStaleLocks(starting, socket_path)
  const server = await startServer(starting, socket_path).catch(async (error) => {
    // Removes it only if empty: a server that is still starting needs its socket.
    await rmdir(socket_path).catch(() => {})
    throw error
  })
  if ('log_tail' in server) {
    if (previous_path === undefined) await removeSocketDirectory(socket_path)
    if (isInUseByAnother(server.log_tail)) return 'busy'
    throw explainFailure(server.log_tail, home)
  }
  // Busy if another process adopted the server just before. That process will stop it.
  if ((await orBusy(server.client, takeOwnerLock(server.client))) === 'busy') return 'busy'
  await clearSocketDirectories(home, user, socket_path)
  return { socket_path, ...server }
}
