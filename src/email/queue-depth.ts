// The depth of the email queue.

import type { Queryable } from '../postgres/database.ts'
import { countQueuedEmails } from './queries.ts'

export interface QueueDepth {
  waiting: number
  /** How many of them are due now. */
  due: number
}

/** Counted up to the limit. */
export function countQueued(db: Queryable, limit: number): Promise<QueueDepth> {
  return countQueuedEmails(db, limit)
}
