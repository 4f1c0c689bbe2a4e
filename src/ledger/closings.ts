// A closed account may still have open rows until background slices have ended them
// (docs/decisions/0018). Every reader treats such a row as ended at the closing time. Two queries:
//   findClosedAt: whether an account is closed. Closing is final, so query it after the row.
//   listClosings: accounts with leftover rows, for list filters. Query it before the rows.

import type { Queryable, Tx } from '../postgres/database.ts'
import {
  type Closing,
  type ClosingProgress,
  deleteClosing,
  insertClosing,
  selectClosedAt,
  selectClosing,
  selectClosingIds,
  selectClosingProgress,
  selectClosingsOfSlots,
  updateClosing,
} from './closing-queries.ts'
import type { AccountLock, CheckedLock } from './lock-row.ts'

export type { Closing, ClosingProgress, ClosingStage } from './closing-queries.ts'

/** When each of these accounts was closed; open accounts are left out. */
export async function findClosedAt(
  db: Queryable,
  account_ids: string[],
): Promise<ReadonlyMap<string, Date>> {
  if (account_ids.length === 0) return new Map()
  const rows = await selectClosedAt(db, account_ids)
  return new Map(rows.map(({ account_id, closed_at }) => [account_id, closed_at]))
}

/** Whether one account is closed; false without an account. */
export async function isClosed(db: Queryable, account_id: string | null): Promise<boolean> {
  return account_id !== null && (await findClosedAt(db, [account_id])).size > 0
}

/** Closing times of accounts whose locks the caller holds. */
export function closedAtOf(locks: Iterable<AccountLock>): ReadonlyMap<string, Date> {
  const closed = [...locks].filter(({ status }) => status === 'closed')
  return new Map(closed.map(({ account_id, last_at }) => [account_id, last_at]))
}

/** Whether an open row is an error. Open rows are allowed until the closing's last slice. */
export function mustHaveNoOpenRows({
  status,
  is_closing,
}: Pick<CheckedLock, 'status' | 'is_closing'>): boolean {
  return status === 'closed' && !is_closing
}

export async function listClosings(db: Queryable): Promise<string[]> {
  return (await selectClosingIds(db)).map(({ account_id }) => account_id)
}

export async function listClosingsOfSlots(
  db: Queryable,
  slots: number[],
  limit: number,
): Promise<string[]> {
  return (await selectClosingsOfSlots(db, slots, limit)).map(({ account_id }) => account_id)
}

// A worker runs a slice every two seconds, and slices take tens of milliseconds.
const stalled_after_ms = 10 * 60_000

export function findClosingProgress(db: Queryable): Promise<ClosingProgress> {
  return selectClosingProgress(db, stalled_after_ms)
}

// Callers hold the account's lock.
export const addClosing: (tx: Tx, closing: Closing) => Promise<void> = insertClosing
export const findClosing = selectClosing
export const moveClosing = updateClosing
export const removeClosing = deleteClosing
