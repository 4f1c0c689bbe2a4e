import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess } from './find-process.ts'
import type { Home } from './prepare-home.ts'
import { port } from './socket-directory.ts'

/**
 * After a power failure or `docker kill`, the pid in postmaster.pid may belong to another program
 * (in a container, often a thread of this process), and PostgreSQL would not start. The working
 * directory of a PostgreSQL server is its data directory; a process with another one is not its
 * server. Neither is a zombie, which PostgreSQL considers alive. In these cases the pid of this
 * process is written instead: PostgreSQL ignores the pid of its parent, but still checks the rest
 * of the file, which has the shared memory of the earlier server. The socket has such a file too.
 */
export async function releaseReusedPid(home: Home, socket_path: string): Promise<void> {
  if (process.platform !== 'linux') return
  await release(join(home.cluster_path, 'postmaster.pid'), home)
  await release(join(socket_path, `.s.PGSQL.${port}.lock`), home)
}

async function release(path: string, home: Home): Promise<void> {
  // O_NOFOLLOW: the server's user could place a link that makes root write to another file.
  const flags = constants.O_RDWR | constants.O_NOFOLLOW
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined) return
  try {
    const text = await file.readFile('utf8')
    const pid = Number.parseInt(text, 10)
    if (!(pid > 0) || pid === process.pid || !(await isOtherProgram(pid, home))) return
    if ((await file.stat()).nlink !== 1) return
    const released = Buffer.from(text.replace(/^\d+/, String(process.pid)))
    // Written through the same descriptor: a server that another process has started meanwhile has
    // created a new file, and would exit if it found another pid in it.
    await file.write(released, 0, released.length, 0)
    await file.truncate(released.length)
  } finally {
    await file.close()
  }
}

async function isOtherProgram(pid: number, home: Home): Promise<boolean> {
  if ((await findProcess(pid)).state === 'zombie') return true
  // Unreadable if the process is gone or of another user. PostgreSQL ignores both.
  const working = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const cluster = await stat(home.cluster_path)
  return working !== undefined && (working.dev !== cluster.dev || working.ino !== cluster.ino)
}
