// Emails that wait for the mail server.

import type { Queryable } from '../postgres/database.ts'
import { countQueuedEmails } from './queries.ts'

export interface QueueDepth {
  waiting: number
  /** Those of them whose time has come. */
  due: number
}

/** Counted up to the limit: beyond it, it is simply many. */
export function countQueued(db: Queryable, limit: number): Promise<QueueDepth> {
  return countQueuedEmails(db, limit)
}
