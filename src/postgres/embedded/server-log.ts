import { constants } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import type { Home } from './prepare-home.ts'

// A quiet server writes a dozen lines a start. Past this size the file holds a story of errors, of
// which the last two volumes are enough.
const size_max = 5_000_000

// What is read back to explain a failure: PostgreSQL's last words are a few lines.
const tail_max = 16_384

export interface ServerLog {
  /** for the standard output and error of a child */
  fd: number
  /** what was written since the log was opened, or its end */
  readNew(): Promise<string>
  close(): Promise<void>
}

/** Opens the log for appending, and puts it aside first when it has grown large. */
export async function openServerLog(home: Home): Promise<ServerLog> {
  const size = await stat(home.log_path).then(
    (info) => info.size,
    () => 0,
  )
  if (size > size_max) await rename(home.log_path, `${home.log_path}.1`)
  const flags = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_NOFOLLOW
  const file = await open(home.log_path, flags, 0o600)
  await giveToHomeOwner(file, home)
  const start = (await file.stat()).size
  return {
    fd: file.fd,
    async readNew() {
      const end = (await file.stat()).size
      const from = Math.max(start, end - tail_max)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from)
      return buffer.toString('utf8', 0, bytesRead)
    },
    close: () => file.close(),
  }
}

/** A log that root makes in the directory of an ordinary user stays writable for him. */
async function giveToHomeOwner(file: FileHandle, home: Home): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(home.data_path)
  const { uid, nlink } = await file.stat()
  // A second name would be a trap: root would give away a file that lies elsewhere.
  if (uid !== owner.uid && nlink === 1) await file.chown(owner.uid, owner.gid)
}
