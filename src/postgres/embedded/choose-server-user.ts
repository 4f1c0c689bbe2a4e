import { readdir, stat } from 'node:fs/promises'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './prepare-home.ts'
import { currentUser, listUsers, nameOf, type SystemUser } from './system-users.ts'

/** The system user that PostgreSQL runs as. */
export interface ServerUser extends SystemUser {
  /** true when it is another user than ours, which only root can arrange */
  switched: boolean
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
  const owner = await findClusterOwner(home)
  if (process.getuid?.() !== 0) return stayOneself(home, owner)
  if (owner === undefined) return chooseUnprivileged(home)
  if (owner.uid !== 0) return { ...owner, name: await nameOf(owner.uid), switched: true }
  throw new EmbeddedDatabaseError(
    `${home.cluster_path} belongs to root, and PostgreSQL does not run as root. Give it to an ` +
      `ordinary user: chown -R ${(await chooseUnprivileged(home)).name} '${home.cluster_path}'`,
  )
}

async function findClusterOwner(home: Home): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(home.cluster_path)
    // An empty directory is no cluster yet. Only root's own is looked into: others are refused.
    const empty = uid === 0 && (await readdir(home.cluster_path)).length === 0
    return empty ? undefined : { uid, gid }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function stayOneself(home: Home, owner: { uid: number } | undefined): Promise<ServerUser> {
  const own = currentUser()
  if (owner !== undefined && owner.uid !== own.uid) {
    throw new EmbeddedDatabaseError(
      `${home.cluster_path} belongs to the user ${await nameOf(owner.uid)}. ` +
        'Start Florin as this user or as root, or set FLORIN_DATA to another directory.',
    )
  }
  return { ...own, switched: false }
}

async function chooseUnprivileged(home: Home): Promise<ServerUser> {
  const users = (await listUsers()).filter(({ uid }) => uid > 0)
  const home_uid = (await stat(home.data_path)).uid
  const owner = users.find(({ uid }) => uid === home_uid)
  if (owner !== undefined) return { ...owner, switched: true }
  for (const preferred of names_preferred) {
    const user = users.find(({ name }) => name === preferred)
    if (user !== undefined) return { ...user, switched: true }
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and /etc/passwd names no user it could run as. ' +
      'Add a user named florin, start as an ordinary user, or set DATABASE_URL.',
  )
}
