import { listClosings } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { countDue } from './queries.ts'

/** The number of transactions that are due for settlement. Each slot counts up to `limit`. */
export async function countDueTransactions(
  db: Queryable,
  by: Date,
  limit: number,
): Promise<number> {
  return countDue(db, { by, limit, except_account_ids: await listClosings(db) })
}
