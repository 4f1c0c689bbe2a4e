// Where a backup goes: what may be there before, and what is left when it does not come about.

import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../embedded/embedded-database-error.ts'
import { BackupError } from './backup-error.ts'

export async function requireNewTarget(target: string, cluster_path: string): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) {
    throw new BackupError(
      `${target} is there already, and a backup never writes over anything. Name a new folder.`,
    )
  }
  const parent = await realpath(dirname(target)).catch(() => undefined)
  // Not made here: a disk that is not mounted would be filled beside its mount point.
  if (parent === undefined) {
    throw new BackupError(
      `There is no folder ${dirname(target)} to put the backup in. Make it, or mount its disk.`,
    )
  }
  if (`${parent}/`.startsWith(`${cluster_path}/`)) {
    throw new BackupError(
      `${target} lies inside the database that is to be copied. Name a folder elsewhere.`,
    )
  }
}

// The log of changes that is written meanwhile; and a disk that also holds the database must not
// be filled by its backup, because PostgreSQL stops when it cannot write.
const spare_bytes = 128 * 1_048_576

export async function requireFreeSpace(target: string, needed_bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target))
  const needed = needed_bytes + spare_bytes
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `The backup needs ${inMegabytes(needed)} MB, and the disk that holds ${dirname(target)} has ` +
      `${inMegabytes(bavail * bsize)} MB free. Free some, or name a folder on another disk.`,
  )
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}

const side_mark = '.unfinished-'

/**
 * A new folder beside the target; it is gone afterwards unless it was renamed. `elsewhere` is what
 * to do when this place does not serve.
 */
export async function inTemporaryFolder<Result>(
  target: string,
  elsewhere: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const side = `${target}${side_mark}${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await clearLeftovers(target)
    await mkdir(side, { mode: 0o700 })
    return await work(side)
  } catch (error) {
    await rm(side, { recursive: true, force: true, maxRetries: 5 })
    throw explain(error, target, elsewhere)
  }
}

/** What a backup to the same target left behind that was killed. */
async function clearLeftovers(target: string): Promise<void> {
  const prefix = `${basename(target)}${side_mark}`
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix)) continue
    if (isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue
    await rm(join(dirname(target), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function explain(error: unknown, target: string, elsewhere: string): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BackupError(
        `The disk that holds ${dirname(target)} became full, and nothing was kept. ` +
          `Free some space, or ${elsewhere} on another disk.`,
        error,
      )
    case 'EFBIG':
      return new BackupError(
        `The system allows no file as large as is needed in ${dirname(target)}, and nothing was ` +
          `kept. Raise the limit (ulimit -f), or ${elsewhere} on another disk.`,
        error,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new BackupError(
        `This user may not write to ${dirname(target)}, or not read what is to be copied. ` +
          `Run it as the user who runs Florin, and ${elsewhere} of that user.`,
        error,
      )
    case 'ENOTEMPTY':
    case 'EEXIST':
      return new BackupError(
        `${target} was made by somebody else meanwhile, and is left alone. Look at it, or ` +
          `${elsewhere} of another name.`,
        error,
      )
    default:
      return error
  }
}
