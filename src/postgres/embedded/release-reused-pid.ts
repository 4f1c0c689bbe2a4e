import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess } from './find-process.ts'
import type { Home } from './prepare-home.ts'
import { port } from './socket-directory.ts'

/**
 * After a power cut or `docker kill`, the pid in postmaster.pid may meanwhile belong to another
 * program (in a container, often a thread of our own), and PostgreSQL would refuse to start. A
 * PostgreSQL server works in its data directory; a process that works elsewhere is no server of
 * this one. Nor is a zombie, which PostgreSQL takes for alive. Our own pid is then written instead,
 * which PostgreSQL knows as its parent and passes over, and it still judges the rest of the file:
 * the shared memory of a server that is not gone. The socket has such a file too.
 */
export async function releaseReusedPid(home: Home, socket_path: string): Promise<void> {
  if (process.platform !== 'linux') return
  await release(join(home.cluster_path, 'postmaster.pid'), home)
  await release(join(socket_path, `.s.PGSQL.${port}.lock`), home)
}

async function release(path: string, home: Home): Promise<void> {
  // A link that the server's user put there must not lead root's hand elsewhere.
  const flags = constants.O_RDWR | constants.O_NOFOLLOW
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined) return
  try {
    const text = await file.readFile('utf8')
    const pid = Number.parseInt(text, 10)
    if (!(pid > 0) || pid === process.pid || !(await isNoServer(pid, home))) return
    if ((await file.stat()).nlink !== 1) return
    const released = Buffer.from(text.replace(/^\d+/, String(process.pid)))
    // By the same descriptor: a server that another Florin has started meanwhile has put a file of
    // its own there, and would end if it found another pid in it.
    await file.write(released, 0, released.length, 0)
    await file.truncate(released.length)
  } finally {
    await file.close()
  }
}

async function isNoServer(pid: number, home: Home): Promise<boolean> {
  if ((await findProcess(pid)).state === 'zombie') return true
  // Unreadable means gone or of another user, and PostgreSQL passes over both by itself.
  const working = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const cluster = await stat(home.cluster_path)
  return working !== undefined && (working.dev !== cluster.dev || working.ino !== cluster.ino)
}
