// Letters hold addresses and links, so they go when nobody asks for them any more.

import { readTime } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldCounts, deleteOldLetters } from './queries.ts'

// As long as events: three times the life of a payment link.
const kept_ms = 90 * 86_400_000

// A round that took longer would hold up the other sweeps; the next one goes on.
const letters_max = 10_000

export async function sweepMail(db: Db): Promise<number> {
  const before = firstUuidAt((await readTime(db)).getTime() - kept_ms)
  return (await deleteOldCounts(db)) + (await deleteOldLetters(db, before, letters_max))
}
