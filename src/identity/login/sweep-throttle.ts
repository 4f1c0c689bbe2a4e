// Deletes the rows of expired failures and known addresses, which no longer count.

import { removeInSlices } from '../../jobs/in-slices.ts'
import type { Db } from '../../postgres/database.ts'
import { deleteOldAddresses, deleteOldFailures } from './queries.ts'

// An attack from many IP addresses leaves a row for each.
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
