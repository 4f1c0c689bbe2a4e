// Answers are kept for 30 days; this clears the table of older ones.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { deleteOldKept, selectOldKept } from './queries.ts'

// All answers of a day grow old in the same moment, and a busy day has millions. Beside other work
// on two cores a thousand took at most 130 ms; ten thousand took 740, and not less for each.
const kept_at_once = 1_000

export function sweepKept(db: Db, signal?: AbortSignal): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  const remove = async (limit: number) => {
    const old = await selectOldKept(db, today, limit)
    return old.length === 0 ? 0 : deleteOldKept(db, old, today)
  }
  return removeInSlices({ limit: kept_at_once, remove, signal })
}
