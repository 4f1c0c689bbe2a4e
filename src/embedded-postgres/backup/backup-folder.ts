// The folder of a backup: checks before it is written, and cleanup if the backup fails.

import { lstat, realpath, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BackupError, codeOf } from '../errors.ts'
import { clearTemporaryFolders, inTemporaryFolder } from '../temporary-folder.ts'

export async function requireNewTarget(target: string, cluster_path: string): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) {
    throw new BackupError(
      `${target} already exists, and a backup never overwrites anything. Choose a new folder.`,
    )
  }
  const parent = await realpath(dirname(target)).catch(() => undefined)
  // The parent is not created: if its disk is not mounted, the backup would fill the disk below it.
  if (parent === undefined) {
    throw new BackupError(
      `The folder ${dirname(target)} does not exist. Create it, or mount its disk.`,
    )
  }
  if (`${parent}/`.startsWith(`${cluster_path}/`)) {
    throw new BackupError(
      `${target} is inside the database to back up. Choose a folder outside of it.`,
    )
  }
}

// Room for the WAL that is written meanwhile. A backup must also not fill the disk of the database,
// because PostgreSQL stops when it cannot write.
const spare_bytes = 128 * 1_048_576

export async function requireFreeSpace(target: string, needed_bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target))
  const needed = needed_bytes + spare_bytes
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `The backup needs ${inMegabytes(needed)} MB, but the disk of ${dirname(target)} has only ` +
      `${inMegabytes(bavail * bsize)} MB free. Free some space, or choose another disk.`,
  )
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}

/**
 * Runs `work` in a new folder next to the target. The folder is removed if `work` fails.
 * `elsewhere` is the advice for a target that cannot be used.
 */
export async function inBackupFolder<Result>(
  target: string,
  elsewhere: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  try {
    await clearTemporaryFolders(target)
    return await inTemporaryFolder(target, work)
  } catch (error) {
    throw explain(error, target, elsewhere)
  }
}

function explain(error: unknown, target: string, elsewhere: string): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BackupError(
        `The disk of ${dirname(target)} became full. The partial copy was removed. ` +
          `Free some space, or ${elsewhere} on another disk.`,
        error,
      )
    case 'EFBIG':
      return new BackupError(
        `A file in ${dirname(target)} would exceed the file size limit. The partial copy was ` +
          `removed. Raise the limit (ulimit -f), or ${elsewhere} on another disk.`,
        error,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new BackupError(
        `Permission denied: cannot write to ${dirname(target)}, or cannot read the source files. ` +
          `Run as the user that runs Florin, and ${elsewhere} that this user can write to.`,
        error,
      )
    case 'ENOTEMPTY':
    case 'EEXIST':
      return new BackupError(
        `Another process created ${target} in the meantime. It was not changed. Check it, or ` +
          `${elsewhere} with another name.`,
        error,
      )
    default:
      return error
  }
}
