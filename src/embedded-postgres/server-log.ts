import { constants } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import type { Home } from './prepare-home.ts'

// A healthy server writes a dozen lines per start. A larger file consists of errors, of which the
// current and the previous file are enough.
const size_max = 5_000_000

// How much is read back to explain a failure, which PostgreSQL describes in a few lines.
const tail_max = 16_384

interface ServerLog {
  /** For the standard output and error of a child process. */
  fd: number
  /** Returns what was written since the log was opened, or the end of it. */
  readNew(): Promise<string>
  close(): Promise<void>
}

/** Opens the log for appending. Rotates it first if it is too large. */
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

/** A log that root creates in the directory of an ordinary user stays writable for that user. */
async function giveToHomeOwner(file: FileHandle, home: Home): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(home.data_path)
  const { uid, nlink } = await file.stat()
  // With a second hard link, root would change the owner of a file in another directory.
  if (uid !== owner.uid && nlink === 1) await file.chown(owner.uid, owner.gid)
}
