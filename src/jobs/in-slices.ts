// How a sweep deletes what may be much: in short statements, each committed by itself, until one
// finds less than it may take. One statement for everything would run into its time limit, be
// undone, and find still more the next time. Each job has a loop of its own, so a long round holds
// nothing else up.

export interface Slices {
  /** Rows of one statement at the most. */
  limit: number
  /** Deletes so many rows at the most, and says how many it found. */
  remove(limit: number): Promise<number>
  /** Aborted when the worker stops: what is left is left to the next. */
  signal?: AbortSignal | undefined
}

export async function removeInSlices({ limit, remove, signal }: Slices): Promise<number> {
  for (let removed = 0; ; ) {
    const count = await remove(limit)
    removed += count
    if (count < limit || signal?.aborted) return removed
  }
}
