import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './errors.ts'
import type { Home } from './prepare-home.ts'

const prefix = 'postgres.new-'

/** Directories in use by this process, for which a check of the pid does not help. */
const in_use = new Set<string>()

/** Runs `work` in a new directory next to the cluster. Removes it, unless `work` has renamed it. */
export async function inTemporaryDirectory<T>(
  home: Home,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const name = `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`
  const path = join(home.data_path, name)
  in_use.add(path)
  try {
    await mkdir(path, { mode: 0o700 })
    return await work(path)
  } finally {
    await removeTree(path)
    in_use.delete(path)
  }
}

// initdb takes seconds. An older directory is a leftover, even if another process now has its pid.
const age_max_ms = 10 * 60_000

/** Removes leftovers of interrupted starts, but not directories that another process is using. */
export async function clearTemporaryDirectories(home: Home): Promise<void> {
  for (const name of await readdir(home.data_path)) {
    if (!name.startsWith(prefix)) continue
    const path = join(home.data_path, name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    const info = await stat(path).catch(() => undefined)
    const is_recent = info !== undefined && Date.now() - info.mtimeMs < age_max_ms
    const is_used = pid === process.pid ? in_use.has(path) : isAlive(pid)
    if (is_recent && is_used) continue
    await removeTree(path)
  }
}

async function removeTree(path: string): Promise<void> {
  // The initdb of a killed process may still be writing; it exits when a file is missing.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
