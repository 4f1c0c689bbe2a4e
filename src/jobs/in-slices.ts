// Deletes many rows in short statements, each committed separately, until one finds fewer rows than
// its limit. A single statement would time out, roll back, and have more rows to delete the next
// time. Each job runs in a separate loop, so a long round delays no other job.

export interface Slices {
  /** Maximum rows per statement. */
  limit: number
  /** Deletes at most this many rows, and returns how many it found. */
  remove(limit: number): Promise<number>
  /** Aborted when the worker stops: the next round deletes the rest. */
  signal?: AbortSignal | undefined
}

export async function removeInSlices({ limit, remove, signal }: Slices): Promise<number> {
  for (let removed = 0; ; ) {
    const count = await remove(limit)
    removed += count
    if (count < limit || signal?.aborted) return removed
  }
}
