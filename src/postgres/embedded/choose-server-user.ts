import { readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './prepare-home.ts'

/** The system user that PostgreSQL runs as. */
export interface ServerUser {
  uid: number
  gid: number
  name: string
  /** true when it is another user than ours, which only root can arrange */
  switched: boolean
}

interface PasswdEntry {
  name: string
  uid: number
  gid: number
}

// In this order: one made for us, one made for PostgreSQL (the second is its name on macOS), and
// last the one that exists everywhere. `nobody` comes last because other programs may run as it,
// and a process of the same user can read the files of the cluster.
const names_preferred = ['florin', 'postgres', '_postgres', 'nobody', 'daemon']

/**
 * An ordinary user runs PostgreSQL as itself. PostgreSQL refuses to run as root, so root picks an
 * unprivileged user: the owner of an existing cluster, so that the choice never changes under it,
 * or else the owner of the data directory, so that he can open it without root later.
 */
export async function chooseServerUser(home: Home): Promise<ServerUser> {
  const uid = process.getuid?.() ?? 0
  const owner = await findOwner(home.cluster_path)
  if (uid !== 0) return ownUser(home, owner)
  if (owner === undefined) return chooseUnprivileged(home)
  if (owner.uid !== 0) return { ...owner, name: await nameOf(owner.uid), switched: true }
  if ((await readdir(home.cluster_path)).length === 0) return chooseUnprivileged(home)
  const chosen = await chooseUnprivileged(home)
  throw new EmbeddedDatabaseError(
    `${home.cluster_path} belongs to root, and PostgreSQL does not run as root. ` +
      `Give it to an ordinary user: chown -R ${chosen.name} '${home.cluster_path}'`,
  )
}

async function findOwner(path: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function ownUser(home: Home, owner: { uid: number } | undefined): Promise<ServerUser> {
  const { uid, gid, username } = ownName()
  if (owner !== undefined && owner.uid !== uid) {
    throw new EmbeddedDatabaseError(
      `${home.cluster_path} belongs to the user ${await nameOf(owner.uid)}. ` +
        'Start Florin as this user or as root, or set FLORIN_DATA to another directory.',
    )
  }
  return { uid, gid, name: username, switched: false }
}

/** Our own name. Without an entry in /etc/passwd, initdb and peer authentication both refuse. */
export function ownName(): { uid: number; gid: number; username: string } {
  try {
    return userInfo()
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The user id ${process.getuid?.()} has no name on this machine, and PostgreSQL needs one. ` +
        'Add it to /etc/passwd, start as another user, or set DATABASE_URL.',
      error,
    )
  }
}

async function chooseUnprivileged(home: Home): Promise<ServerUser> {
  const entries = (await readPasswd()).filter(({ uid }) => uid > 0)
  const home_uid = (await stat(home.data_path)).uid
  const owner = entries.find(({ uid }) => uid === home_uid)
  if (owner !== undefined) return { ...owner, switched: true }
  for (const preferred of names_preferred) {
    const entry = entries.find(({ name }) => name === preferred)
    if (entry !== undefined) return { ...entry, switched: true }
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and /etc/passwd names no user it could run as. ' +
      'Add a user named florin, start as an ordinary user, or set DATABASE_URL.',
  )
}

/** The name of a user id, or the id itself where the machine does not know it. */
export async function nameOf(uid: number): Promise<string> {
  const entry = (await readPasswd()).find((candidate) => candidate.uid === uid)
  return entry?.name ?? String(uid)
}

async function readPasswd(): Promise<PasswdEntry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('#'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      return { name, uid: Number(uid), gid: Number(gid) }
    })
}
