// A closed account may still have rows that its closing has not reached (docs/decisions/0094).
// Whoever reads such a row treats it as ended at the time of the closing. Two questions tell:
//   findClosedAt: is the account closed? The answer never changes back, so ask it after the row.
//   listClosings: which accounts have leftover rows? For filters of lists; ask it before the rows.

import type { Queryable, Tx } from '../postgres/database.ts'
import {
  type Closing,
  deleteClosing,
  insertClosing,
  selectClosedAt,
  selectClosing,
  selectClosingIds,
  selectClosingsOfSlots,
  updateClosing,
} from './closings/queries.ts'
import type { AccountLock, CheckedLock } from './lock-row.ts'

export type { Closing, ClosingStage } from './closings/queries.ts'

/** When each of these accounts was closed; open ones are left out. */
export async function findClosedAt(
  db: Queryable,
  account_ids: string[],
): Promise<ReadonlyMap<string, Date>> {
  if (account_ids.length === 0) return new Map()
  const rows = await selectClosedAt(db, account_ids)
  return new Map(rows.map(({ account_id, closed_at }) => [account_id, closed_at]))
}

/** The same for one account; null belongs to none. */
export async function isClosed(db: Queryable, account_id: string | null): Promise<boolean> {
  return account_id !== null && (await findClosedAt(db, [account_id])).size > 0
}

/** The same, for accounts whose locks are held. */
export function closedAtOf(locks: AccountLock[]): ReadonlyMap<string, Date> {
  const closed = locks.filter(({ status }) => status === 'closed')
  return new Map(closed.map(({ account_id, last_at }) => [account_id, last_at]))
}

/** Whether nothing may be left open: between the closing and its last slice something may. */
export function mustBeTidy({
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

// Written under the account's lock only.
export const addClosing: (tx: Tx, closing: Closing) => Promise<void> = insertClosing
export const findClosing = selectClosing
export const moveClosing = updateClosing
export const removeClosing = deleteClosing
