// What was sent is kept for as long as somebody may ask what became of it.

import type { Db } from '../postgres/database.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldDeliveries } from './queries.ts'

// Ten times the three days that tries take. Events are kept longer, and can be replayed.
const kept_ms = 30 * 86_400_000

// A round that took longer would hold up the other sweeps; the next one goes on.
const deliveries_max = 10_000

export async function sweepWebhooks(db: Db): Promise<number> {
  return deleteOldDeliveries(db, firstUuidAt(Date.now() - kept_ms), deliveries_max)
}
