import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { EmbeddedDatabaseError } from './errors.ts'

export interface SystemUser {
  name: string
  uid: number
  gid: number
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
