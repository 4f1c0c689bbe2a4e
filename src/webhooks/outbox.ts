// The outbox of webhook deliveries: how long they are retried and retained. Workers fill and send
// it: see sending/.

import { retrySchedule } from '../outbox/retry-schedule.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { inSlices, type Sweep } from '../postgres/sweep.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import {
  type DeliveryKey,
  deleteDeliveries,
  selectOldDeliveries,
  sendEndOfAttempts,
} from './queries.ts'

export { countPendingDeliveries } from './queries.ts'

/**
 * As Standard Webhooks recommends. The first retries cover a restart, the later ones an outage of
 * days. After ten attempts over three days the delivery fails.
 */
export const delivery_retries = retrySchedule('5s 5m 30m 2h 5h 10h 14h 20h 24h')

/**
 * An endpoint that has failed for this long is disabled by the next delivery that uses up its
 * attempts. It is the shortest duration of the retry schedule, so the first lost delivery disables
 * a dead endpoint and its owner is notified.
 */
export const failing_ms_max = delivery_retries.shortest_ms

// Ten times the three days of the retry schedule. Events are retained longer and can be replayed.
const retention_ms = 30 * 86_400_000

// Each delivery has up to 20 attempts of up to 64 KiB, which are deleted with it. Deleting 1,000
// deliveries with one small attempt each took at most 30 ms.
const slice_max = 1_000

export const sweepWebhooks: Sweep = (db, signal) => {
  const before = firstUuidAt(Date.now() - retention_ms)
  return inSlices(slice_max, signal, (limit) => deleteOldDeliveries(db, before, limit))
}

/** Deletes finished deliveries with smaller ids, and their attempts. */
export async function deleteOldDeliveries(
  db: Db,
  before_id: string,
  limit: number,
): Promise<number> {
  const old = await selectOldDeliveries(db, before_id, limit)
  if (old.length === 0) return 0
  let deleted = 0
  for (const part of db.shards.split(old)) {
    deleted += await db.transaction((tx) => deleteWithAttempts(tx, part))
  }
  return deleted
}

async function deleteWithAttempts(tx: Tx, old: DeliveryKey[]): Promise<number> {
  const deleted = await deleteDeliveries(tx, old)
  if (deleted.length > 0) sendEndOfAttempts(tx, deleted)
  return deleted.length
}
