import { randomBytes } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from './durable-files.ts'
import type { Home } from './prepare-home.ts'
import type { ServerUser } from './server-user.ts'
import { currentUser, nameOf } from './system-users.ts'

export const role = 'florin'

/**
 * Defines who may connect. Peer authentication gets the system user from the kernel, so no password
 * is stored. Written at every start, because the user may change.
 */
export async function writeAccessRules(
  cluster_path: string,
  home: Home,
  user: ServerUser,
): Promise<void> {
  await writeForServer(join(cluster_path, 'pg_hba.conf'), 'local all all peer map=florin\n', user)
  const names = await listNames(home)
  const map = names.map((name) => `florin ${quote(name)} ${role}\n`).join('')
  await writeForServer(join(cluster_path, 'pg_ident.conf'), map, user)
}

/**
 * The user of this process, the owner of the data directory, and root, who can become either
 * anyway. So a server left behind by `sudo npm start` can be adopted without sudo, and the reverse.
 * Never the user that root chose for the server: other programs may run as the same user.
 */
async function listNames(home: Home): Promise<string[]> {
  const current = currentUser()
  const { uid } = await stat(home.data_path)
  const owner = uid === current.uid ? current.name : await nameOf(uid)
  return [...new Set([current.name, owner, 'root'])]
}

/**
 * Writes a file into the server's directory. A new file is renamed over the old one: the server's
 * user could otherwise place a link that makes root write to another file.
 */
export async function writeForServer(path: string, text: string, user: ServerUser): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeDurably(temporary, text, user.switched ? user : undefined)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
