import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const read = 0o4
const search = 0o1

/**
 * Whether a user may read this file or enter this directory, judged by the permission bits of it
 * and of all directories above. Access lists are not looked at: they err towards a copy.
 */
export async function canReach(path: string, user: { uid: number; gid: number }): Promise<boolean> {
  try {
    const real_path = await realpath(path)
    const info = await stat(real_path)
    if (!allows(info, user, info.isDirectory() ? read | search : read)) return false
    for (let above = dirname(real_path); ; above = dirname(above)) {
      if (!allows(await stat(above), user, search)) return false
      if (above === dirname(above)) return true
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
