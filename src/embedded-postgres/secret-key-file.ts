// The key of a sandbox with the embedded database: a file in the data folder, so that authenticator
// apps work without a setting. A backup of the database does not contain it.

import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'

/** Creates the file at the first call. Only its owner can read it. */
export async function readSecretKeyFile(data_path: string): Promise<Buffer> {
  const path = join(data_path, 'secret.key')
  await createKey(path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === 32) return key
  throw new EmbeddedDatabaseError(
    `${path} must contain 32 bytes in base64. Restore it from a backup, or delete it: then users ` +
      'with an authenticator app need a recovery code.',
  )
}

async function createKey(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
