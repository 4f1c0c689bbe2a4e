import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './embedded-database-error.ts'
import type { Home } from './prepare-home.ts'

const prefix = 'postgres.new-'

/** Those of this process, whose pid is alive in any case. */
const in_work = new Set<string>()

/** Does some work in a new directory beside the cluster, which is gone or renamed afterwards. */
export async function inTemporaryDirectory<T>(
  home: Home,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const name = `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`
  const path = join(home.data_path, name)
  in_work.add(path)
  try {
    await mkdir(path, { mode: 0o700 })
    return await work(path)
  } finally {
    await removeTree(path)
    in_work.delete(path)
  }
}

// An initdb takes seconds. A side directory older than this is a leftover, even if its process id
// has meanwhile been given to another process.
const side_age_max_ms = 10 * 60_000

/** Clears what interrupted starts left, but not what another process is working on right now. */
export async function clearTemporaryDirectories(home: Home): Promise<void> {
  for (const name of await readdir(home.data_path)) {
    if (!name.startsWith(prefix)) continue
    const path = join(home.data_path, name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    const info = await stat(path).catch(() => undefined)
    const young = info !== undefined && Date.now() - info.mtimeMs < side_age_max_ms
    const working = pid === process.pid ? in_work.has(path) : isAlive(pid)
    if (young && working) continue
    await removeTree(path)
  }
}

async function removeTree(path: string): Promise<void> {
  // The initdb of a process that was killed may still be writing; it ends when it misses a file.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
