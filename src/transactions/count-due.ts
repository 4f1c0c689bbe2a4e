// Transactions that the processor should have settled by now.

import { listClosings } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { countDue } from './queries.ts'

/** For each slot counted up to the limit: beyond it, it is simply many. */
export async function countDueTransactions(
  db: Queryable,
  by: Date,
  limit: number,
): Promise<number> {
  return countDue(db, { by, limit, except_account_ids: await listClosings(db) })
}
