import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerUser } from './choose-server-user.ts'
import type { Home } from './prepare-home.ts'
import { writeForServer } from './write-for-server.ts'

/**
 * After a power cut or `docker kill`, the pid in postmaster.pid may meanwhile belong to another
 * program (in a container, often a thread of our own), and PostgreSQL would refuse to start. A
 * PostgreSQL server works in its data directory; a process that works elsewhere is no server of
 * this one. Our own pid is then written instead, which PostgreSQL knows as its parent and passes
 * over, and it still judges the rest of the file: the shared memory of a server that is not gone.
 */
export async function releaseReusedPid(home: Home, user: ServerUser): Promise<void> {
  if (process.platform !== 'linux') return
  const path = join(home.cluster_path, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  if (!(pid > 0) || pid === process.pid || !(await worksElsewhere(pid, home))) return
  await writeForServer(path, text.replace(/^\d+/, String(process.pid)), user)
}

async function worksElsewhere(pid: number, home: Home): Promise<boolean> {
  // Unreadable means gone or of another user, and PostgreSQL passes over both by itself.
  const working = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const cluster = await stat(home.cluster_path)
  return working !== undefined && (working.dev !== cluster.dev || working.ino !== cluster.ino)
}
