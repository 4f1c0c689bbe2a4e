import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import { diskFullMessage, type Home } from './prepare-home.ts'
import type { ServerUser } from './server-user.ts'
import { canReach } from './system-users.ts'

interface CopyOptions {
  native_path: string
  name: string
  home: Home
  user: ServerUser
  /** Creates the symbolic links of the shared libraries; returns false if it cannot. */
  link: (native_path: string) => Promise<boolean>
}

/**
 * Copies the binaries, once per version, to a directory where the server's user can run them:
 * root's node_modules may be in a 0700 home, and an ordinary user's may be read-only.
 */
export async function copyBinaries(copying: CopyOptions): Promise<string> {
  const failures: unknown[] = []
  for (const parent of await listParents(copying)) {
    try {
      return await copyInto(parent, copying)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.some((error) => codeOf(error) === 'ENOSPC')) {
    throw new EmbeddedDatabaseError(
      diskFullMessage(copying.home.data_path),
      new AggregateError(failures),
    )
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL runs as the user ${copying.user.name}, who cannot read ${copying.native_path}, ` +
      'and no directory for a copy is usable. Move the project to a directory that this user can ' +
      'read, start Florin as an ordinary user, or set DATABASE_URL.',
    new AggregateError(failures),
  )
}

/**
 * An ordinary user's copy is in the data directory. Root's copy is where only root can write and
 * all can read, so that no other user can plant a binary. /var/lib is first, because the system
 * deletes old files in the other two.
 */
async function listParents({ home, user }: CopyOptions): Promise<string[]> {
  if (!user.switched) return [home.data_path]
  const reachable: string[] = []
  for (const parent of ['/var/lib', '/var/tmp', '/tmp']) {
    if (await canReach(parent, user)) reachable.push(parent)
  }
  return reachable
}

async function copyInto(parent: string, copying: CopyOptions): Promise<string> {
  const target = join(parent, copying.name)
  if (await isIntact(copying.native_path, target)) return target
  const temporary = await mkdtemp(`${target}.new-`)
  try {
    await copyTree(copying.native_path, temporary)
    await copying.link(temporary)
    await testRun(temporary, copying.user)
    return await moveToTarget(temporary, target, copying.native_path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

/** Whether this user owns the copy, no other user can write to it, and every file has its size. */
async function isIntact(source: string, target: string): Promise<boolean> {
  const info = await lstat(target).catch(() => undefined)
  if (info === undefined) return false
  if (!info.isDirectory() || info.uid !== process.getuid?.() || (info.mode & 0o022) !== 0) {
    return false
  }
  return hasSameFiles(source, target)
}

async function hasSameFiles(source: string, target: string): Promise<boolean> {
  const names = (await readdir(source, { recursive: true })).filter(isRequired)
  const sizeOf = async (path: string) => {
    const info = await stat(path).catch(() => undefined)
    return info?.isDirectory() ? 'directory' : info?.size
  }
  const same = names.map(
    async (name) => (await sizeOf(join(source, name))) === (await sizeOf(join(target, name))),
  )
  return (await Promise.all(same)).every(Boolean)
}

/** Everything but static archives and build files, which are a tenth of the package. */
function isRequired(path: string): boolean {
  return !/\.a$|\/(pkgconfig|pgxs)(\/|$)/.test(path)
}

async function copyTree(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, filter: isRequired })
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  await Promise.all([target, ...paths].map(publish))
}

/**
 * Lets all users read it. Syncs it before the rename: otherwise a power failure could leave a copy
 * that looks complete.
 */
async function publish(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.chmod(((await file.stat()).mode & 0o111) === 0 ? 0o644 : 0o755)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Detects a file system that is mounted with noexec. */
async function testRun(native_path: string, { uid, gid, switched }: ServerUser): Promise<void> {
  const identity = switched ? { uid, gid } : {}
  const program = join(native_path, 'bin', 'postgres')
  await promisify(execFile)(program, ['--version'], { ...identity, cwd: '/', env: {} })
}

/**
 * The rename resolves the race between processes that copy at once: the second one uses the copy of
 * the first. A copy that is not intact (a cleanup of /tmp deleted some files) is replaced.
 */
async function moveToTarget(temporary: string, target: string, source: string): Promise<string> {
  for (;;) {
    try {
      await rename(temporary, target)
      return target
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    }
    if (await isIntact(source, target)) {
      await rm(temporary, { recursive: true, force: true })
      return target
    }
    if ((await lstat(target)).uid !== process.getuid?.()) {
      throw new EmbeddedDatabaseError(`${target} is owned by another user.`)
    }
    await rename(target, `${temporary}.old`)
    await rm(`${temporary}.old`, { recursive: true, force: true })
  }
}
