import { constants } from 'node:fs'
import { access, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import { nameOf } from './system-users.ts'

/** The paths of one embedded database. */
export interface Home {
  /** The real path, without symbolic links, so that one directory is always one database. */
  data_path: string
  cluster_path: string
  log_path: string
}

// Private, except that on macOS the server's user must be able to traverse root's directory.
const directory_mode = process.platform !== 'linux' && process.getuid?.() === 0 ? 0o711 : 0o700

/** Creates the data directory if it is missing. Throws an explanation if it cannot be used. */
export async function prepareHome(data_path: string): Promise<Home> {
  try {
    await mkdir(data_path, { recursive: true, mode: directory_mode })
    const real_path = await realpath(data_path)
    await access(real_path, constants.R_OK | constants.W_OK | constants.X_OK)
    return homeAt(real_path)
  } catch (error) {
    throw await explainHome(data_path, error)
  }
}

/** Like prepareHome, but creates nothing; undefined if there is no such directory. */
export async function findHome(data_path: string): Promise<Home | undefined> {
  try {
    const real_path = await realpath(data_path)
    return (await stat(real_path)).isDirectory() ? homeAt(real_path) : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw await explainHome(data_path, error)
  }
}

function homeAt(data_path: string): Home {
  return {
    data_path,
    cluster_path: join(data_path, 'postgres'),
    log_path: join(data_path, 'postgres.log'),
  }
}

/** Turns a system error about the data directory into an error message with advice. */
export async function explainHome(path: string, error: unknown): Promise<unknown> {
  const next = 'Set FLORIN_DATA to another directory.'
  switch (codeOf(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new EmbeddedDatabaseError(
        `${path} is not a directory: it is a file, or one of its parents is. ${next}`,
        error,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new EmbeddedDatabaseError(`${await explainAccess(path)} ${next}`, error)
    case 'ENAMETOOLONG':
      return new EmbeddedDatabaseError(
        `The path ${path.slice(0, 60)}… is too long for this system. ${next}`,
        error,
      )
    case 'ENOSPC':
    case 'EDQUOT':
    case '53100': // PostgreSQL's disk_full
      return new EmbeddedDatabaseError(diskFullMessage(path), error)
    default:
      return error
  }
}

async function explainAccess(path: string): Promise<string> {
  const owner = await stat(path).catch(() => undefined)
  return owner === undefined || owner.uid === process.getuid?.()
    ? `Florin cannot write to ${path}: permission denied.`
    : `${path} is owned by the user ${await nameOf(owner.uid)}, and Florin cannot write to it.`
}

export function diskFullMessage(data_path: string): string {
  return (
    `The disk that holds ${data_path} is full. ` +
    'Free at least 200 MB, or set FLORIN_DATA to a directory on another disk, then start again.'
  )
}
