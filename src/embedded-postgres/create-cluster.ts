import { once } from 'node:events'
import { lchown, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from './durable-files.ts'
import { codeOf } from './errors.ts'
import { explainFailure } from './explain-failure.ts'
import { markerFile, markerText } from './inspect-cluster.ts'
import { explainHome, type Home } from './prepare-home.ts'
import { openServerLog } from './server-log.ts'
import { endWhenAborted, spawnOnDirectory } from './spawn-on-directory.ts'
import type { ServerStartOptions } from './start-server.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import { role, writeAccessRules, writeForServer } from './write-access-rules.ts'

// PostgreSQL has C.UTF-8 built in, but pg_trgm uses the locale of the system, and with C it drops
// every non-ASCII character. Not every system has C.UTF-8; all have C.
const ctypes = process.platform === 'darwin' ? ['C.UTF-8', 'en_US.UTF-8', 'C'] : ['C.UTF-8', 'C']

/**
 * Creates a cluster in a temporary directory and renames it, so that `postgres` is either complete
 * or absent. Returns false if another process was first.
 */
export async function createCluster(starting: ServerStartOptions): Promise<boolean> {
  const { home, user } = starting
  try {
    return await inTemporaryFolder(home.cluster_path, async (path) => {
      if (user.switched) await lchown(path, user.uid, user.gid)
      await initialize(path, starting)
      await writeAccessRules(path, home, user)
      await writeForServer(join(path, markerFile), markerText, user)
      return renameToCluster(path, home)
    })
  } catch (error) {
    throw await explainHome(home.data_path, error)
  }
}

async function initialize(path: string, starting: ServerStartOptions): Promise<void> {
  for (const ctype of ctypes) {
    const failure = await runInitdb(path, ctype, starting)
    if (failure === undefined) return
    if (ctype !== 'C' && /invalid locale/.test(failure)) continue
    throw explainFailure(failure, starting.home)
  }
}

/** Returns the output of initdb if it failed. */
async function runInitdb(path: string, ctype: string, starting: ServerStartOptions) {
  const log = await openServerLog(starting.home)
  try {
    const child = await spawnOnDirectory({
      program: join(starting.native_path, 'bin', 'initdb'),
      directory: path,
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

async function renameToCluster(path: string, home: Home): Promise<boolean> {
  try {
    await rename(path, home.cluster_path)
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false
    throw error
  }
  // The rename is durable only after the parent directory is synced.
  await syncDirectory(home.data_path)
  return true
}
