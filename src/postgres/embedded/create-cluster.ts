import { once } from 'node:events'
import { lchown, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './embedded-database-error.ts'
import { endWhenAborted } from './end-when-aborted.ts'
import { explainFailure } from './explain-failure.ts'
import { markerFile, markerText } from './inspect-cluster.ts'
import { explainHome, type Home } from './prepare-home.ts'
import { openServerLog } from './server-log.ts'
import { spawnOnDirectory } from './spawn-on-directory.ts'
import type { ServerStartOptions } from './start-server.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'
import { role, writeAccessRules } from './write-access-rules.ts'
import { writeForServer } from './write-for-server.ts'

// PostgreSQL takes characters from C.UTF-8 by itself, but pg_trgm asks the system's locale: under
// C it drops every letter beyond ASCII. Not every system has the first name, all have the last.
const ctypes = process.platform === 'darwin' ? ['C.UTF-8', 'en_US.UTF-8', 'C'] : ['C.UTF-8', 'C']

/**
 * Makes a new cluster in a side directory and renames it into place, so that `postgres` is either
 * whole or absent. False when another process was first.
 */
export async function createCluster(starting: ServerStartOptions): Promise<boolean> {
  const { home, user } = starting
  try {
    return await inTemporaryDirectory(home, async (side) => {
      if (user.switched) await lchown(side, user.uid, user.gid)
      await initialize(side, starting)
      await writeAccessRules(side, home, user)
      await writeForServer(join(side, markerFile), markerText, user)
      return moveIntoPlace(side, home)
    })
  } catch (error) {
    throw await explainHome(home.data_path, error)
  }
}

async function initialize(side: string, starting: ServerStartOptions): Promise<void> {
  for (const ctype of ctypes) {
    const failure = await runInitdb(side, ctype, starting)
    if (failure === undefined) return
    if (ctype !== 'C' && /invalid locale/.test(failure)) continue
    throw explainFailure(failure, starting.home)
  }
}

/** The output of initdb when it failed. */
async function runInitdb(side: string, ctype: string, starting: ServerStartOptions) {
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
    const [exit_code] = await endWhenAborted(child, starting.signal, once(child, 'exit'))
    starting.signal?.throwIfAborted()
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
  // The new name is durable only once the directory that holds it is. Not every file system can
  // sync a directory; then there is nothing more to be done.
  const directory = await open(home.data_path, 'r')
  await directory.sync().catch(() => {})
  await directory.close()
  return true
}
