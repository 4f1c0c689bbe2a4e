// What was sent is kept for as long as somebody may ask what became of it.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldDeliveries } from './queries.ts'

// Ten times the three days that tries take. Events are kept longer, and can be replayed.
const kept_ms = 30 * 86_400_000

// With each go its tries, ten or twenty of them, which may hold 64 KiB each. A thousand with one
// small try each took at most 30 ms: 99 000 rows a second, where one worker writes 540.
const deliveries_at_once = 1_000

export function sweepWebhooks(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - kept_ms)
  const remove = (limit: number) => deleteOldDeliveries(db, before, limit)
  return removeInSlices({ limit: deliveries_at_once, remove, signal })
}
