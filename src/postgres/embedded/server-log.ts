import { constants } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
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
