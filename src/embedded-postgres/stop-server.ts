import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { OwnedServer } from './acquire-server.ts'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import { findProcess } from './find-process.ts'
import { readPostmasterFile } from './find-server.ts'
import type { Home } from './prepare-home.ts'
import { removeSocketDirectory } from './socket-directory.ts'
import type { ServerStartOptions } from './start-server.ts'

// A fast shutdown writes at most shared_buffers (128 MB) to disk: seconds, even on a slow one.
const fast_ms_default = 20_000
// An immediate shutdown writes nothing; PostgreSQL itself kills what is left after 5 s.
const immediate_ms = 10_000

/**
 * Performs a fast shutdown, which ends all connections, including the one with the owner lock. The
 * lock is held until then, so that no other process adopts a server that is shutting down.
 */
export async function stopServer(
  server: OwnedServer,
  { home, warn }: Pick<ServerStartOptions, 'home' | 'warn'>,
  fast_ms = fast_ms_default,
): Promise<void> {
  const postmaster = server.child ? ofChild(server.child) : await ofAdopted(server.client, home)
  postmaster.signal('SIGINT')
  if (!(await postmaster.hasEnded(fast_ms))) {
    warn(
      `PostgreSQL did not stop within ${fast_ms / 1000} s and is shut down immediately. ` +
        'No committed data is lost; the next start takes longer.',
    )
    postmaster.signal('SIGQUIT')
    if (!(await postmaster.hasEnded(immediate_ms))) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL (pid ${postmaster.pid}) did not stop. See ${home.log_path}.`,
      )
    }
  }
  await server.client.end().catch(() => {})
  await removeSocketDirectory(server.socket_path)
}

interface ServerProcess {
  pid: number
  signal(name: 'SIGINT' | 'SIGQUIT'): void
  hasEnded(within_ms: number): Promise<boolean>
}

function ofChild(child: ChildProcess): ServerProcess {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid!,
    signal: (name) => void child.kill(name),
    hasEnded: (within_ms) => poll(async () => hasEnded(), within_ms),
  }
}

/**
 * An adopted server is not a child of this process, and a pid from a file may be stale. The parent
 * of the backend of this connection is the server, and it lives as long as the connection does. Its
 * pid must match the one in the data directory.
 */
async function ofAdopted(client: pg.Client, home: Home): Promise<ServerProcess> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = await findProcess(rows[0]!.pid)
  const pid = backend.state === 'alive' ? backend.parent_pid : undefined
  const named = readPostmasterFile(home.cluster_path)?.pid
  if (pid === undefined || pid !== named) {
    throw new EmbeddedDatabaseError(
      `Florin could not determine which process is the database of ${home.cluster_path} and left ` +
        'it running. The next start adopts it.',
    )
  }
  return {
    pid,
    signal: (name) => signalUnlessGone(pid, name),
    hasEnded: (within_ms) =>
      poll(async () => (await findProcess(pid)).state !== 'alive', within_ms),
  }
}

function signalUnlessGone(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

async function poll(done: () => Promise<boolean>, within_ms: number): Promise<boolean> {
  const deadline_ms = performance.now() + within_ms
  while (!(await done())) {
    if (performance.now() > deadline_ms) return false
    await sleep(20)
  }
  return true
}
