import { listClosings } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { countDuePayments as countRows } from './queries.ts'

/** The number of requests with an overdue reminder or expiry. Each slot counts up to `limit`. */
export async function countDuePayments(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, { by, limit, except_account_ids: await listClosings(db) })
}
