// Copies of files that are on the disk when the copy is done, with a checksum of what was copied.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

// Large enough that the disk, and not the number of calls, is what a copy waits for.
const piece_bytes = 262_144

export interface CopyOptions {
  signal: AbortSignal
  onBytes: (bytes: number) => void
  owner?: { uid: number; gid: number } | undefined
}

export interface CopyResult {
  bytes: number
  sha256: string
}

/** Copies what the file held when it was opened; one that grows meanwhile is not chased. */
export async function copyDurably(
  from: string,
  to: string,
  copying: CopyOptions,
): Promise<CopyResult> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const copied = await pour(source, target, copying)
      if (copying.owner) await target.chown(copying.owner.uid, copying.owner.gid)
      await target.sync()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function pour(
  source: FileHandle,
  target: FileHandle,
  copying: CopyOptions,
): Promise<CopyResult> {
  const { size } = await source.stat()
  const sum = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(piece_bytes, size))
  let bytes = 0
  while (bytes < size) {
    copying.signal.throwIfAborted()
    const length = Math.min(buffer.length, size - bytes)
    const { bytesRead } = await source.read(buffer, 0, length, bytes)
    // The file became shorter meanwhile.
    if (bytesRead === 0) break
    const piece = buffer.subarray(0, bytesRead)
    sum.update(piece)
    await target.writeFile(piece)
    bytes += bytesRead
    copying.onBytes(bytesRead)
  }
  return { bytes, sha256: sum.digest('hex') }
}

/** Some file systems cannot sync a directory; then there is nothing more to be done. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  await directory.sync().catch(() => {})
  await directory.close()
}

export async function writeDurably(
  path: string,
  text: string,
  owner?: CopyOptions['owner'],
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.sync()
  } finally {
    await file.close()
  }
}

// A cluster is a thousand small files, each of which waits for the disk: several wait together.
const at_once = 8

export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let failed = false
  const lines = Array.from({ length: at_once }, async () => {
    for (const item of queue) {
      if (failed) return
      await work(item).catch((error) => {
        failed = true
        throw error
      })
    }
  })
  // All of them, so that nobody writes any more when the folder is removed after a failure.
  const ends = await Promise.allSettled(lines)
  const end = ends.find((one) => one.status === 'rejected')
  if (end !== undefined) throw end.reason
}
