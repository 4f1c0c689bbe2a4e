import { readFile, realpath, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { EmbeddedDatabaseError } from './errors.ts'

interface Ids {
  uid: number
  gid: number
}

export interface SystemUser extends Ids {
  name: string
}

/** The user of this process. initdb and peer authentication require an entry in /etc/passwd. */
export function currentUser(): SystemUser {
  try {
    const { username, uid, gid } = userInfo()
    return { name: username, uid, gid }
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The user id ${process.getuid?.()} has no name on this machine, but PostgreSQL needs one. ` +
        'Add it to /etc/passwd, start Florin as another user, or set DATABASE_URL.',
      error,
    )
  }
}

/** The name of a user id, or the id itself if /etc/passwd does not list it. */
export async function nameOf(uid: number): Promise<string> {
  const user = (await listUsers()).find((candidate) => candidate.uid === uid)
  return user?.name ?? String(uid)
}

export async function listUsers(): Promise<SystemUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('#'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      return { name, uid: Number(uid), gid: Number(gid) }
    })
}

const read = 0o4
const search = 0o1

/**
 * Whether a user may read this file or enter this directory, according to its permission bits and
 * those of all parent directories. ACLs are ignored: a wrong "no" only causes a copy.
 */
export async function canReach(path: string, user: Ids): Promise<boolean> {
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

function allows(info: Ids & { mode: number }, user: Ids, wanted: number): boolean {
  const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0
  return ((info.mode >> shift) & wanted) === wanted
}
