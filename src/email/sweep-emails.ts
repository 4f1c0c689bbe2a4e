// Deletes old emails, because they contain addresses and secret links.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldCounts, deleteOldEmails } from './queries.ts'

// The same retention as events, three times the lifetime of a payment link. Counted in real time: a
// sandbox clock that jumps a year ahead must not delete recent emails.
const retention_ms = 90 * 86_400_000

// Keeps statements short: deleting 1,000 emails took 7 ms, and 1,000 counts 15 ms.
const limit = 1_000

export async function sweepEmails(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - retention_ms)
  const counts = await removeInSlices({
    limit,
    signal,
    remove: (slice_max) => deleteOldCounts(db, slice_max),
  })
  const remove = (slice_max: number) => deleteOldEmails(db, before, slice_max)
  return counts + (await removeInSlices({ limit, signal, remove }))
}
