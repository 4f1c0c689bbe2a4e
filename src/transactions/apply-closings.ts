// A pending row of a closed account counts as canceled at the closing time, even before a slice
// updates it (docs/decisions/0018). For transactions and payment requests.

import { findClosedAt } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'

interface ClosableRow {
  account_id: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
}

/** `closed_at` is null or undefined for an open account. */
export function asClosed<Row extends ClosableRow>(
  row: Row,
  closed_at: Date | null | undefined,
): Row {
  if (row.status !== 'pending' || !closed_at) return row
  // Rows of lists have fewer columns; missing ones are not added.
  const times = 'updated_at' in row ? { updated_at: closed_at, due_at: null } : {}
  return { ...row, status: 'canceled', ...times }
}

/** `closed` has the closing time of each closed account. */
export function applyClosings<Row extends ClosableRow>(
  rows: Row[],
  closed: ReadonlyMap<string, Date>,
): Row[] {
  return closed.size === 0 ? rows : rows.map((row) => asClosed(row, closed.get(row.account_id)))
}

/** Rows as the API shows them. Queries the database only if a row is pending. */
export async function loadAndApplyClosings<Row extends ClosableRow>(
  db: Queryable,
  rows: Row[],
): Promise<Row[]> {
  const pending = rows.filter(({ status }) => status === 'pending')
  const account_ids = [...new Set(pending.map(({ account_id }) => account_id))]
  return applyClosings(rows, await findClosedAt(db, account_ids))
}
