// The depth of the webhook queue.

import type { Queryable } from '../postgres/database.ts'
import { countPendingDeliveries } from './queries.ts'

export interface QueueDepth {
  waiting: number
  /** How many of them are due now. */
  due: number
}

/** Counted up to the limit. */
export function countWaiting(db: Queryable, limit: number): Promise<QueueDepth> {
  return countPendingDeliveries(db, limit)
}
