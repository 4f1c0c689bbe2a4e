// Florin 0.1.0, to run next to this version. It is installed once, into the cache of test tools.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const commit = '5251a32a733371aaf828ba9ea9690b8584e74e3e'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
const run = promisify(execFile)

interface PreviousVersion {
  launcher: string
}

/** Returns why it cannot be installed, if so. */
export async function installPreviousVersion(): Promise<PreviousVersion | { missing: string }> {
  const path = join(cache, 'florin-test-tools', `florin-${commit.slice(0, 8)}`)
  const launcher = join(path, 'bin/florin.mjs')
  if (existsSync(path)) return { launcher }
  if (!(await isInClone())) return { missing: `commit ${commit} is not in this clone` }
  try {
    await install(path)
    return { launcher }
  } catch (error) {
    return { missing: `npm cannot install the previous version: ${(error as Error).message}` }
  }
}

async function isInClone(): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
}

/** Renamed at the end, so that a path that exists is complete. */
async function install(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const directory = await mkdtemp(`${path}-`)
  try {
    const archive = join(directory, 'florin.tar')
    await run('git', ['archive', '--output', archive, commit], { cwd: root })
    await run('tar', ['-xf', archive, '--exclude=web/dashboard'], { cwd: directory })
    await rm(archive)
    // The database is external, and Node.js is the one that runs the tests.
    await run('npm', ['ci', '--omit=dev', '--omit=optional'], { cwd: directory })
    await rename(directory, path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
