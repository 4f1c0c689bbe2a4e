import { readdir, stat } from 'node:fs/promises'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { Home } from './prepare-home.ts'
import { currentUser, listUsers, nameOf, type SystemUser } from './system-users.ts'

/** The system user that PostgreSQL runs as. */
export interface ServerUser extends SystemUser {
  /** True if it differs from the user of this process, which requires root. */
  switched: boolean
}

// A dedicated user first, then one for PostgreSQL (`_postgres` on macOS), then users that exist
// everywhere. Those are last because other programs may run as the same user, and could then read
// the files of the cluster.
const names_preferred = ['florin', 'postgres', '_postgres', 'nobody', 'daemon']

/**
 * An ordinary user runs PostgreSQL as itself. PostgreSQL does not run as root, so root picks an
 * unprivileged user: the owner of an existing cluster, so that the choice never changes, or else
 * the owner of the data directory, who can then start Florin without root later.
 */
export async function chooseServerUser(home: Home): Promise<ServerUser> {
  const owner = await findClusterOwner(home)
  if (process.getuid?.() !== 0) return useCurrentUser(home, owner)
  if (owner === undefined) return chooseUnprivileged(home)
  if (owner.uid !== 0) return { ...owner, name: await nameOf(owner.uid), switched: true }
  throw new EmbeddedDatabaseError(
    `${home.cluster_path} is owned by root, but PostgreSQL does not run as root. Change the ` +
      `owner: chown -R ${(await chooseUnprivileged(home)).name} '${home.cluster_path}'`,
  )
}

async function findClusterOwner(home: Home): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(home.cluster_path)
    // An empty directory is not a cluster yet. Only one of root is read: others are rejected.
    const empty = uid === 0 && (await readdir(home.cluster_path)).length === 0
    return empty ? undefined : { uid, gid }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function useCurrentUser(home: Home, owner: { uid: number } | undefined): Promise<ServerUser> {
  const current = currentUser()
  if (owner !== undefined && owner.uid !== current.uid) {
    throw new EmbeddedDatabaseError(
      `${home.cluster_path} is owned by the user ${await nameOf(owner.uid)}. ` +
        'Start Florin as this user or as root, or set FLORIN_DATA to another directory.',
    )
  }
  return { ...current, switched: false }
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
    'PostgreSQL does not run as root, and /etc/passwd has no suitable user. ' +
      'Create a user named florin, start Florin as an ordinary user, or set DATABASE_URL.',
  )
}
