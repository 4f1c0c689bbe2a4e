// Payment requests that should have been reminded of or canceled by now.

import { listClosings } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { countDuePayments as countRows } from './queries.ts'

/** For each slot counted up to the limit: beyond it, it is simply many. */
export async function countDuePayments(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, { by, limit, except_account_ids: await listClosings(db) })
}
