import { readFileSync, unlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess } from './find-process.ts'
import { port } from './socket-directory.ts'
import type { ServerStartOptions } from './start-server.ts'

/**
 * Removes the lock files of a server that is gone and whose pid another program has now, as after a
 * power failure or in a restarted container: PostgreSQL would not start. It only trusts proof: the
 * working directory of a PostgreSQL server is its data directory, so a process with another one is
 * not its server. Neither is a zombie, which PostgreSQL considers alive.
 *
 * This cannot let a second server start on the directory. PostgreSQL also checks the shared memory
 * that belongs to the directory, which does not depend on the file.
 */
export async function removeStaleLocks(
  starting: ServerStartOptions,
  socket_path: string,
): Promise<void> {
  if (process.platform !== 'linux') return
  const { cluster_path } = starting.home
  for (const path of [
    join(cluster_path, 'postmaster.pid'),
    join(socket_path, `.s.PGSQL.${port}.lock`),
  ]) {
    const text = read(path)
    const pid = Number.parseInt(text, 10)
    if (!(pid > 0) || !(await isOtherProgram(pid, cluster_path))) continue
    // Read again: another process may have started a server since.
    if (read(path) !== text) continue
    unlinkSync(path)
    starting.warn(`Removed the stale lock file ${path}: process ${pid} is not its PostgreSQL.`)
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function isOtherProgram(pid: number, cluster_path: string): Promise<boolean> {
  if ((await findProcess(pid)).state === 'zombie') return true
  // Unreadable if the process is gone or of another user. PostgreSQL ignores both.
  const working = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const cluster = await stat(cluster_path)
  return working !== undefined && (working.dev !== cluster.dev || working.ino !== cluster.ino)
}
