import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canReach } from './can-reach.ts'
import type { ServerUser } from './choose-server-user.ts'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import { diskFullMessage, type Home } from './prepare-home.ts'

interface CopyOptions {
  native_path: string
  name: string
  home: Home
  user: ServerUser
  /** makes the symbolic links of the shared libraries; false when it cannot */
  link: (native_path: string) => Promise<boolean>
}

/**
 * Copies the binaries to where the server's user can run them, once for each version: root's
 * node_modules may lie in a 0700 home, and an ordinary user's node_modules may be read-only.
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
    `PostgreSQL runs as the user ${copying.user.name}, who cannot use ${copying.native_path}, ` +
      'and there was no place for a copy. Move the project to where this user can read it, ' +
      'start as an ordinary user, or set DATABASE_URL.',
    new AggregateError(failures),
  )
}

/**
 * An ordinary user's copy lies in the data directory. Root's lies where only root can write and
 * all can read, so that nobody can plant a binary; /var/lib first, since the other two are swept.
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
  const side = await mkdtemp(`${target}.new-`)
  try {
    await copyTree(copying.native_path, side)
    await copying.link(side)
    await tryOut(side, copying.user)
    return await moveIntoPlace(side, target, copying.native_path)
  } catch (error) {
    await rm(side, { recursive: true, force: true })
    throw error
  }
}

/** A copy is good if it is ours, nobody else may write to it, and no file is missing or short. */
async function isIntact(source: string, target: string): Promise<boolean> {
  const info = await lstat(target).catch(() => undefined)
  if (info === undefined) return false
  if (!info.isDirectory() || info.uid !== process.getuid?.() || (info.mode & 0o022) !== 0) {
    return false
  }
  return hasSameFiles(source, target)
}

async function hasSameFiles(source: string, target: string): Promise<boolean> {
  const same = (await listWanted(source)).map(async (entry) => {
    const from = join(source, entry.name)
    const to = join(target, entry.name)
    if (entry.isDirectory()) return hasSameFiles(from, to)
    const copied = await stat(to).catch(() => undefined)
    return copied?.size === (await stat(from)).size
  })
  return (await Promise.all(same)).every(Boolean)
}

async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  await chmod(target, 0o755)
  const copies = (await listWanted(source)).map((entry) => {
    const from = join(source, entry.name)
    const to = join(target, entry.name)
    return entry.isDirectory() ? copyTree(from, to) : copyDurably(from, to)
  })
  await Promise.all(copies)
}

/** What a server needs: static archives and build files are a tenth of the package. */
async function listWanted(path: string) {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.filter(
    ({ name }) => !name.endsWith('.a') && name !== 'pkgconfig' && name !== 'pgxs',
  )
}

/** Whole files before the rename, or a power cut could leave a copy that looks finished. */
async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const file = await open(to, 'r')
  try {
    await file.chmod(((await file.stat()).mode & 0o111) === 0 ? 0o644 : 0o755)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file system mounted noexec shows itself only here. */
async function tryOut(native_path: string, { uid, gid, switched }: ServerUser): Promise<void> {
  const identity = switched ? { uid, gid } : {}
  const program = join(native_path, 'bin', 'postgres')
  await promisify(execFile)(program, ['--version'], { ...identity, cwd: '/', env: {} })
}

/**
 * A rename alone decides between processes that copy at once: the second finds the first's copy
 * and uses it. One that is not intact (a sweep of /tmp took some of it) is put aside.
 */
async function moveIntoPlace(side: string, target: string, source: string): Promise<string> {
  for (;;) {
    try {
      await rename(side, target)
      return target
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    }
    if (await isIntact(source, target)) {
      await rm(side, { recursive: true, force: true })
      return target
    }
    if ((await lstat(target)).uid !== process.getuid?.()) {
      throw new EmbeddedDatabaseError(`${target} belongs to another user.`)
    }
    await rename(target, `${side}.old`)
    await rm(`${side}.old`, { recursive: true, force: true })
  }
}
