import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './errors.ts'

const suffix = '.unfinished-'

/** Folders in use by this process, for which a check of the pid does not help. */
const in_use = new Set<string>()

/** Runs `work` in a new folder next to the target. Removes it, unless `work` has renamed it. */
export async function inTemporaryFolder<Result>(
  target: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = `${target}${suffix}${process.pid}-${randomBytes(4).toString('hex')}`
  in_use.add(path)
  try {
    await mkdir(path, { mode: 0o700 })
    return await work(path)
  } finally {
    await removeTree(path)
    in_use.delete(path)
  }
}

/** Removes what killed processes left next to the target, but not what another one is using. */
export async function clearTemporaryFolders(target: string): Promise<void> {
  const prefix = `${basename(target)}${suffix}`
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix)) continue
    const path = join(dirname(target), name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (pid === process.pid ? in_use.has(path) : isAlive(pid)) continue
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
