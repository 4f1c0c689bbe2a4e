// Failures and known addresses whose time is over count no more; this only clears the tables.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { deleteOldAddresses, deleteOldFailures } from './queries.ts'

// Whoever guesses from many addresses leaves a row for each. They are as small as tokens, of which
// as many go at once.
const limit = 1_000

export async function sweepThrottle(db: Db, signal?: AbortSignal): Promise<number> {
  const at = new Date()
  const failures = await removeInSlices({
    limit,
    signal,
    remove: (most) => deleteOldFailures(db, at, most),
  })
  const remove = (most: number) => deleteOldAddresses(db, at, most)
  return failures + (await removeInSlices({ limit, signal, remove }))
}
