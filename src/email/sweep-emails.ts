// Emails hold addresses and links, so they go when nobody asks for them any more.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldCounts, deleteOldEmails } from './queries.ts'

// As long as events: three times the life of a payment link. Days of real time, as theirs: a
// sandbox whose clock jumps a year must not lose what nobody has read yet.
const kept_ms = 90 * 86_400_000

// Short statements: a thousand emails took 7 ms, and a thousand counts 15.
const limit = 1_000

export async function sweepEmails(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - kept_ms)
  const counts = await removeInSlices({
    limit,
    signal,
    remove: (most) => deleteOldCounts(db, most),
  })
  const remove = (most: number) => deleteOldEmails(db, before, most)
  return counts + (await removeInSlices({ limit, signal, remove }))
}
