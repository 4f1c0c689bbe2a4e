// Deliveries that wait for their next try.

import type { Queryable } from '../postgres/database.ts'
import { countPendingDeliveries } from './queries.ts'

export interface QueueDepth {
  waiting: number
  /** Those of them whose time has come. */
  due: number
}

/** Counted up to the limit: beyond it, it is simply many. */
export function countWaiting(db: Queryable, limit: number): Promise<QueueDepth> {
  return countPendingDeliveries(db, limit)
}
