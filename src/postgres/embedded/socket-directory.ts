import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach } from './can-reach.ts'
import type { ServerUser } from './choose-server-user.ts'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './prepare-home.ts'

/** With no TCP the number is only part of the socket's name. */
export const port = 5432

// The system allows 104 bytes (macOS) or 108 for the socket's path; `/florin-`, a hash, a random
// part and `/.s.PGSQL.5432` take 47 of them.
const parent_bytes_max = 56

/**
 * Makes a private directory for the socket. Its name holds a hash of the data directory, so that
 * leftovers can be told from other databases, and a random part, so that nobody can be there
 * first. It is not in the data directory, whose path may be too long or hold a comma.
 */
export async function makeSocketDirectory(home: Home, user: ServerUser): Promise<string> {
  const path = join(await chooseParent(user), `${prefixOf(home)}-${randomBytes(6).toString('hex')}`)
  await secureSocketDirectory(path, user)
  return path
}

/** Makes the directory unless it is there, and makes sure that it is the server's alone. */
export async function secureSocketDirectory(path: string, user: ServerUser): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
    if (user.switched) await chown(path, user.uid, user.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new EmbeddedDatabaseError(
        `Florin could not make ${path} for the database's socket. ` +
          'Set TMPDIR to a short path of a directory that Florin may write to.',
        error,
      )
    }
  }
  const info = await lstat(path)
  if (!info.isDirectory() || info.uid !== user.uid || (info.mode & 0o077) !== 0) {
    throw new EmbeddedDatabaseError(
      `${path} is for the database's socket and is not private to the user ${user.name}. ` +
        'Set TMPDIR to a directory on an ordinary file system.',
    )
  }
}

async function chooseParent(user: ServerUser): Promise<string> {
  const parent = tmpdir()
  // A comma would end the path in PostgreSQL's setting, so only plain characters are taken.
  const plain = /^\/[\w./+-]*$/.test(parent) && parent.length <= parent_bytes_max
  return plain && (!user.switched || (await canReach(parent, user))) ? parent : '/tmp'
}

function prefixOf(home: Home): string {
  return `florin-${createHash('sha256').update(home.cluster_path).digest('hex').slice(0, 12)}`
}

/** Removes the directory of a server that has ended, with what a killed one leaves in it. */
export async function removeSocketDirectory(path: string): Promise<void> {
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) {
    await unlink(join(path, name)).catch(() => {})
  }
  await rmdir(path).catch(() => {})
}

/**
 * Removes the directories of earlier servers of this data directory. Called while our own server
 * holds the data directory, so that no other can be using them.
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
