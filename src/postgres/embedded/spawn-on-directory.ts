import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { canReach } from './can-reach.ts'
import type { ServerUser } from './choose-server-user.ts'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'

/**
 * Starts a program of PostgreSQL on a data directory. On Linux the directory is opened here and
 * inherited as descriptor 3: root can open what the server's user cannot reach, and PostgreSQL
 * never sees a path that is too long for it (1 024 bytes) or that it would have to quote.
 */
export async function spawnOnDirectory(options: {
  program: string
  directory: string
  user: ServerUser
  /** descriptors for the standard output and error */
  output: number
  /** a session of its own, which Ctrl-C on our terminal does not reach */
  detached: boolean
  args: (directory: string) => string[]
}): Promise<ChildProcess> {
  const { program, output, detached, user } = options
  const by_descriptor = process.platform === 'linux' && existsSync('/proc/self/fd')
  if (!by_descriptor) await refuseUnreachable(options.directory, user)
  const directory = openSync(options.directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const args = options.args(by_descriptor ? '/proc/self/fd/3' : options.directory)
    const child = spawn(program, args, {
      cwd: '/',
      // Nothing of our environment: it may hold secrets, and PG… variables would steer the server.
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', output, output, by_descriptor ? directory : 'ignore'],
      detached,
      ...(user.switched ? { uid: user.uid, gid: user.gid } : {}),
    })
    await once(child, 'spawn')
    return child
  } catch (error) {
    throw explainSpawn(program, error)
  } finally {
    closeSync(directory)
  }
}

/** macOS cannot walk through a descriptor, so there the server's user must reach the path. */
async function refuseUnreachable(directory: string, user: ServerUser): Promise<void> {
  if (!user.switched || (await canReach(directory, user))) return
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and the user ${user.name} cannot reach ` +
      `${dirname(directory)}. ` +
      'Start as an ordinary user, or set FLORIN_DATA to a directory that all users may enter.',
  )
}

function explainSpawn(program: string, error: unknown): unknown {
  if (codeOf(error) === 'ENOENT' && !existsSync(program)) {
    return new EmbeddedDatabaseError(`${program} is missing. Run npm ci again.`, error)
  }
  // The file is there, so what the system misses is its dynamic linker.
  if (codeOf(error) === 'ENOENT') {
    return new EmbeddedDatabaseError(
      'The embedded PostgreSQL does not run on this system: it needs glibc, and this looks like ' +
        'musl. Set DATABASE_URL to a PostgreSQL of your own.',
      error,
    )
  }
  if (codeOf(error) === 'EACCES') {
    return new EmbeddedDatabaseError(
      `The system does not let Florin run ${program}. Is its disk mounted with noexec? ` +
        'Move the project to another disk, or set DATABASE_URL.',
      error,
    )
  }
  return error
}
