// Payment requests that should have been reminded of or canceled by now.

import type { Queryable } from '../postgres/database.ts'
import { countDuePayments as countRows } from './queries.ts'

/** For each slot counted up to the limit: beyond it, it is simply many. */
export function countDuePayments(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, by, limit)
}
