// Florin 0.1.0, to run next to this version. It is installed once, into the cache of test tools.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isRegistryReachable } from '../packaging/packages.ts'

// The tag v0.1.0, which a clone may lack.
const commit_of_0_1_0 = '5251a32a733371aaf828ba9ea9690b8584e74e3e'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
const run = promisify(execFile)

interface PreviousVersion {
  launcher: string
  version: string
}

/** Returns what is missing, the commit or the network. Any other failure throws. */
export async function installPreviousVersion(): Promise<PreviousVersion | { missing: string }> {
  const commit = (await resolveCommit('v0.1.0')) ?? (await resolveCommit(commit_of_0_1_0))
  if (commit === undefined) return { missing: `commit ${commit_of_0_1_0} is not in this clone` }
  const path = join(cache, 'florin-test-tools', `florin-${commit.slice(0, 8)}`)
  try {
    if (!existsSync(path)) await install(commit, path)
  } catch (error) {
    if (await isRegistryReachable()) throw error
    return { missing: 'the npm registry cannot be reached' }
  }
  const { version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
  return { launcher: join(path, 'bin/florin.mjs'), version }
}

async function resolveCommit(name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]
  return run('git', args, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
}

/** Renamed at the end, so that a path that exists is complete. */
async function install(commit: string, path: string): Promise<void> {
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
