// Answers are kept for 30 days; this clears the table of older ones.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { deleteExpiredResponses, selectExpiredResponses } from './queries.ts'

// All answers of a day grow old in the same moment, and a busy day has millions. Beside other work
// on two cores a thousand took at most 130 ms; ten thousand took 740, and not less for each.
const responses_per_slice = 1_000

export function sweepStoredResponses(db: Db, signal?: AbortSignal): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  const remove = async (limit: number) => {
    const old = await selectExpiredResponses(db, today, limit)
    return old.length === 0 ? 0 : deleteExpiredResponses(db, old, today)
  }
  return removeInSlices({ limit: responses_per_slice, remove, signal })
}
