import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { ServerUser } from './choose-server-user.ts'

/**
 * Writes a file into the server's own directory. A new file is renamed over the old one: a link
 * that the server's user put there must not lead root's hand elsewhere.
 */
export async function writeForServer(path: string, text: string, user: ServerUser): Promise<void> {
  const side = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(side, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (user.switched) await file.chown(user.uid, user.gid)
    await file.sync()
    await rename(side, path)
  } catch (error) {
    await rm(side, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
