import type { Queryable } from '../postgres/database.ts'
import { countDueSubscriptions as countRows } from './queries.ts'

/** The number of subscriptions whose next period has begun. Each slot counts up to `limit`. */
export function countDueSubscriptions(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, by, limit)
}
