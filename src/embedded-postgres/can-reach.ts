import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const read = 0o4
const search = 0o1

/**
 * Whether a user may read this file or enter this directory, according to its permission bits and
 * those of all parent directories. ACLs are ignored: a wrong "no" only causes a copy.
 */
export async function canReach(path: string, user: { uid: number; gid: number }): Promise<boolean> {
  try {
    const real_path = await realpath(path)
    const info = await stat(real_path)
    if (!allows(info, user, info.isDirectory() ? read | search : read)) return false
    for (let parent = dirname(real_path); ; parent = dirname(parent)) {
      if (!allows(await stat(parent), user, search)) return false
      if (parent === dirname(parent)) return true
    }
  } catch {
    return false
  }
}

function allows(
  info: { uid: number; gid: number; mode: number },
  user: { uid: number; gid: number },
  wanted: number,
): boolean {
  const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0
  return ((info.mode >> shift) & wanted) === wanted
}
