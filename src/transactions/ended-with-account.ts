// What is pending in a closed account counts as canceled at the time of the closing, whether or not
// the closing has reached its row yet (docs/decisions/0094). For transactions and payment requests.

import { findClosedAt } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'

interface MayBePending {
  account_id: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
}

/** `closed_at` is null or undefined for an account that is open. */
export function asClosed<Row extends MayBePending>(
  row: Row,
  closed_at: Date | null | undefined,
): Row {
  if (row.status !== 'pending' || !closed_at) return row
  // A list shows less of a row: what it does not have is not added.
  const times = 'updated_at' in row ? { updated_at: closed_at, due_at: null } : {}
  return { ...row, status: 'canceled', ...times }
}

/** By when their accounts were closed. */
export function endWithAccounts<Row extends MayBePending>(
  rows: Row[],
  closed: ReadonlyMap<string, Date>,
): Row[] {
  return closed.size === 0 ? rows : rows.map((row) => asClosed(row, closed.get(row.account_id)))
}

/** As they are shown. Only what is pending makes a question to the database. */
export async function showClosed<Row extends MayBePending>(
  db: Queryable,
  rows: Row[],
): Promise<Row[]> {
  const pending = rows.filter(({ status }) => status === 'pending')
  const account_ids = [...new Set(pending.map(({ account_id }) => account_id))]
  return endWithAccounts(rows, await findClosedAt(db, account_ids))
}
