import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { ServerUser } from './server-user.ts'

/**
 * Writes a file into the server's directory. A new file is renamed over the old one: the server's
 * user could otherwise place a link that makes root write to another file.
 */
export async function writeForServer(path: string, text: string, user: ServerUser): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (user.switched) await file.chown(user.uid, user.gid)
    await file.sync()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
