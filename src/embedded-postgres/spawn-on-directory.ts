import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { install_command } from '../version.ts'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { ServerUser } from './server-user.ts'
import { canReach } from './system-users.ts'

/**
 * Starts a PostgreSQL program on a data directory. On Linux the directory is opened here and
 * inherited as descriptor 3: root can open a path that the server's user cannot reach, and
 * PostgreSQL never sees a path that is too long for it (1,024 bytes) or needs quoting.
 */
export async function spawnOnDirectory(options: {
  program: string
  directory: string
  user: ServerUser
  /** Descriptor for standard output and error. */
  output: number
  /** Runs in a separate session, which Ctrl-C in the terminal does not reach. */
  detached: boolean
  args: (directory: string) => string[]
}): Promise<ChildProcess> {
  const { program, output, detached, user } = options
  const by_descriptor = process.platform === 'linux' && existsSync('/proc/self/fd')
  if (!by_descriptor) await rejectUnreachable(options.directory, user)
  const directory = openSync(options.directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const args = options.args(by_descriptor ? '/proc/self/fd/3' : options.directory)
    const child = spawn(program, args, {
      cwd: '/',
      // No inherited environment: it may contain secrets, and PG* variables affect the server.
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

/**
 * Waits for `work`, and sends SIGINT to the PostgreSQL program if the signal is aborted meanwhile.
 * Once the work is done, an abort has no effect: the server keeps running after its start.
 */
export async function endWhenAborted<Result>(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  const end = () => void child.kill('SIGINT')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return await work
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** macOS has no /proc/self/fd, so there the server's user must be able to reach the path. */
async function rejectUnreachable(directory: string, user: ServerUser): Promise<void> {
  if (!user.switched || (await canReach(directory, user))) return
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and the user ${user.name} cannot reach ` +
      `${dirname(directory)}. ` +
      'Start as an ordinary user, or set FLORIN_DATA to a directory that all users can enter.',
  )
}

function explainSpawn(program: string, error: unknown): unknown {
  if (codeOf(error) === 'ENOENT' && !existsSync(program)) {
    return new EmbeddedDatabaseError(
      `${program} is missing. Run \`${install_command}\` again.`,
      error,
    )
  }
  // The file exists, so what is missing is its dynamic linker.
  if (codeOf(error) === 'ENOENT') {
    return new EmbeddedDatabaseError(
      'The embedded PostgreSQL does not run on this system: it requires glibc, and this system ' +
        'seems to use musl. Set DATABASE_URL to use an external PostgreSQL.',
      error,
    )
  }
  if (codeOf(error) === 'EACCES') {
    return new EmbeddedDatabaseError(
      `Permission denied: cannot run ${program}. If its disk is mounted with noexec, move the ` +
        'project to another disk, or set DATABASE_URL.',
      error,
    )
  }
  return error
}
