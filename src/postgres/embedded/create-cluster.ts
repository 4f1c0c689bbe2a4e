import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './embedded-database-error.ts'
import { explainFailure } from './explain-failure.ts'
import { markerFile, markerText } from './inspect-cluster.ts'
import { explainHome, type Home } from './prepare-home.ts'
import { openServerLog } from './server-log.ts'
import { spawnOnDirectory } from './spawn-on-directory.ts'
import type { Starting } from './start-server.ts'
import { role, writeAccessRules } from './write-access-rules.ts'
import { writeForServer } from './write-for-server.ts'

const sidePrefix = 'postgres.new-'

// PostgreSQL takes characters from C.UTF-8 by itself, but pg_trgm asks the system's locale: under
// C it drops every letter beyond ASCII. Not every system has the first name, all have the last.
const ctypes = process.platform === 'darwin' ? ['C.UTF-8', 'en_US.UTF-8', 'C'] : ['C.UTF-8', 'C']

/**
 * Makes a new cluster in a side directory and renames it into place, so that `postgres` is either
 * whole or absent. False when another process was first.
 */
export async function createCluster(starting: Starting): Promise<boolean> {
  const { home, user } = starting
  try {
    await clearSides(home)
    const side = join(
      home.data_path,
      `${sidePrefix}${process.pid}-${randomBytes(4).toString('hex')}`,
    )
    sidesInWork.add(side)
    try {
      await mkdir(side, { mode: 0o700 })
      if (user.switched) await lchown(side, user.uid, user.gid)
      await initialise(side, starting)
      await writeAccessRules(side, home, user)
      await writeForServer(join(side, markerFile), markerText, user)
      return await moveIntoPlace(side, home)
    } finally {
      await removeTree(side)
      sidesInWork.delete(side)
    }
  } catch (error) {
    throw await explainHome(home.data_path, error)
  }
}

// An initdb takes seconds. A side directory older than this is a leftover, even if its process id
// has meanwhile been given to another process.
const sideAgeMax_ms = 10 * 60_000

/** Those of this process, whose pid is alive in any case. */
const sidesInWork = new Set<string>()

/** Clears what interrupted starts left, but not what another process is working on right now. */
async function clearSides(home: Home): Promise<void> {
  for (const name of await readdir(home.data_path)) {
    if (!name.startsWith(sidePrefix)) continue
    const path = join(home.data_path, name)
    const pid = Number.parseInt(name.slice(sidePrefix.length), 10)
    const age_ms = Date.now() - (await stat(path)).mtimeMs
    const in_work = pid === process.pid ? sidesInWork.has(path) : isAlive(pid)
    if (in_work && age_ms < sideAgeMax_ms) continue
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

async function initialise(side: string, starting: Starting): Promise<void> {
  for (const ctype of ctypes) {
    const failure = await runInitdb(side, ctype, starting)
    if (failure === undefined) return
    if (ctype !== 'C' && /invalid locale/.test(failure)) continue
    throw explainFailure(failure, starting.home)
  }
}

/** The output of initdb when it failed. */
async function runInitdb(side: string, ctype: string, starting: Starting) {
  const log = await openServerLog(starting.home)
  try {
    const child = await spawnOnDirectory({
      program: join(starting.native_path, 'bin', 'initdb'),
      directory: side,
      user: starting.user,
      output: log.fd,
      detached: false,
      args: (directory) => [
        `--pgdata=${directory}`,
        `--username=${role}`,
        '--auth=peer',
        '--no-instructions',
        '--data-checksums',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        `--lc-ctype=${ctype}`,
        ...(starting.settings.fsync === 'off' ? ['--no-sync'] : []),
      ],
    })
    const [exit_code] = await once(child, 'exit')
    return exit_code === 0 ? undefined : await log.readNew()
  } finally {
    await log.close()
  }
}

async function moveIntoPlace(side: string, home: Home): Promise<boolean> {
  try {
    await rename(side, home.cluster_path)
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false
    throw error
  }
  // The new name is durable only once the directory that holds it is.
  // Not every file system can sync a directory; then there is nothing more to be done.
  const directory = await open(home.data_path, 'r')
  await directory.sync().catch(() => {})
  await directory.close()
  return true
}
