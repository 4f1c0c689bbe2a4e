import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { Home } from './prepare-home.ts'
import type { ServerUser } from './server-user.ts'
import { canReach } from './system-users.ts'

/** Without TCP the port is only part of the socket's name. */
export const port = 5432

// The path of a socket may have 104 bytes (macOS) or 108. `/florin-`, a hash, a random part and
// `/.s.PGSQL.5432` take 47 of them.
const parent_bytes_max = 56

/**
 * Creates a private directory for the socket. Its name has a hash of the data directory, to find
 * leftovers of this database, and a random part, so that another user cannot create it first. It is
 * not in the data directory, whose path may be too long or contain a comma.
 */
export async function makeSocketDirectory(home: Home, user: ServerUser): Promise<string> {
  const path = join(await chooseParent(user), `${prefixOf(home)}-${randomBytes(6).toString('hex')}`)
  await secureSocketDirectory(path, user)
  return path
}

/** Creates the directory if it is missing, and checks that only the server's user has access. */
export async function secureSocketDirectory(path: string, user: ServerUser): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
    if (user.switched) await chown(path, user.uid, user.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new EmbeddedDatabaseError(
        `Florin could not create ${path} for the database socket. ` +
          'Set TMPDIR to a directory with a short path that Florin can write to.',
        error,
      )
    }
  }
  const info = await lstat(path)
  if (!info.isDirectory() || info.uid !== user.uid || (info.mode & 0o077) !== 0) {
    throw new EmbeddedDatabaseError(
      `${path}, the directory of the database socket, is not private to the user ${user.name}. ` +
        'Set TMPDIR to a directory on a local file system with permissions.',
    )
  }
}

async function chooseParent(user: ServerUser): Promise<string> {
  const parent = tmpdir()
  // A comma would end the path in PostgreSQL's setting, so only plain characters are accepted.
  const plain = /^\/[\w./+-]*$/.test(parent) && parent.length <= parent_bytes_max
  return plain && (!user.switched || (await canReach(parent, user))) ? parent : '/tmp'
}

function prefixOf(home: Home): string {
  return `florin-${createHash('sha256').update(home.cluster_path).digest('hex').slice(0, 12)}`
}

/** Removes the directory of a server that has ended, including files that a killed one leaves. */
export async function removeSocketDirectory(path: string): Promise<void> {
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) {
    await unlink(join(path, name)).catch(() => {})
  }
  await rmdir(path).catch(() => {})
}

/**
 * Removes the directories of earlier servers of this data directory. Called while the new server
 * holds the lock of the data directory, so no other server can be using them.
 */
export async function clearSocketDirectories(
  home: Home,
  user: ServerUser,
  current_path: string,
): Promise<void> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    for (const name of await readdir(parent).catch(() => [])) {
      const path = join(parent, name)
      if (!name.startsWith(`${prefixOf(home)}-`) || path === current_path) continue
      const info = await lstat(path).catch(() => undefined)
      if (info?.isDirectory() && info.uid === user.uid) await removeSocketDirectory(path)
    }
  }
}
