// Copies files durably (fsync) and computes a checksum of what was copied.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

// Large enough that the disk is the bottleneck, not the number of calls.
const chunk_bytes = 262_144

export interface CopyOptions {
  signal: AbortSignal
  onBytes: (bytes: number) => void
  owner?: { uid: number; gid: number } | undefined
}

interface CopyResult {
  bytes: number
  sha256: string
}

/** Copies up to the size that the file had when it was opened, even if it grows meanwhile. */
export async function copyDurably(
  from: string,
  to: string,
  copying: CopyOptions,
): Promise<CopyResult> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const result = await copyBytes(source, target, copying)
      if (copying.owner) await target.chown(copying.owner.uid, copying.owner.gid)
      await target.sync()
      return result
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  copying: CopyOptions,
): Promise<CopyResult> {
  const { size } = await source.stat()
  const sum = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(chunk_bytes, size))
  let bytes = 0
  while (bytes < size) {
    copying.signal.throwIfAborted()
    const length = Math.min(buffer.length, size - bytes)
    const { bytesRead } = await source.read(buffer, 0, length, bytes)
    // The file was truncated meanwhile.
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    sum.update(chunk)
    await target.writeFile(chunk)
    bytes += bytesRead
    copying.onBytes(bytesRead)
  }
  return { bytes, sha256: sum.digest('hex') }
}

/** Ignores errors: some file systems cannot sync a directory. */
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

// A cluster has about a thousand small files, and each waits for fsync. Several run concurrently.
const concurrency = 8

export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let failed = false
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) {
      if (failed) return
      await work(item).catch((error) => {
        failed = true
        throw error
      })
    }
  })
  // Wait for all workers, so that none still writes when the folder is removed after a failure.
  const results = await Promise.allSettled(workers)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}
