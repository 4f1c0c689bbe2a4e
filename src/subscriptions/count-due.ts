// Subscriptions whose next period has begun.

import type { Queryable } from '../postgres/database.ts'
import { countDueSubscriptions as countRows } from './queries.ts'

/** For each slot counted up to the limit: beyond it, it is simply many. */
export function countDueSubscriptions(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, by, limit)
}
