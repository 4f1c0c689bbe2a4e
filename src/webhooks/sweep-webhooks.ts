// Deletes old webhook deliveries.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldDeliveries } from './queries.ts'

// Ten times the three days of the retry schedule. Events are retained longer and can be replayed.
const retention_ms = 30 * 86_400_000

// Each delivery has up to 20 attempts of up to 64 KiB, which are deleted with it. Deleting 1,000
// deliveries with one small attempt each took at most 30 ms.
const slice_max = 1_000

export function sweepWebhooks(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - retention_ms)
  const remove = (limit: number) => deleteOldDeliveries(db, before, limit)
  return removeInSlices({ limit: slice_max, remove, signal })
}
