// When the weekly summary of an account is due: Mondays at 8:00 in its time zone, in business time.

import { AlreadyHandled, type DueRowKey, type DueSearch } from '../jobs/due-work.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { instantOfWallTime, wallTimeAt } from '../primitives/time.ts'
import type { AccountRow } from './account.ts'
import {
  selectAccounts,
  selectDueSummaries,
  selectSummaryDue,
  updateSummaryDue,
} from './queries.ts'

const day_ms = 86_400_000
const at_ms = 8 * 3_600_000

export function findDueSummaries(db: Db, search: DueSearch): Promise<DueRowKey[]> {
  return selectDueSummaries(db, search)
}

export interface DueSummary {
  account: AccountRow
  /** The past week, both ends inclusive. */
  from: Date
  to: Date
}

/**
 * The past week, if a Monday has come since the last summary. After a long outage or a jump of the
 * clock, only the last week is returned.
 */
export async function findDueSummary(
  db: Queryable,
  account_id: string,
  by: Date,
): Promise<DueSummary | undefined> {
  return (await readWeek(db, account_id, by)).due
}

/** Also schedules the next summary. Requires the lock. */
export async function takeDueSummary(
  tx: Tx,
  account_id: string,
  by: Date,
): Promise<DueSummary | undefined> {
  const { due, next_at } = await readWeek(tx, account_id, by)
  await updateSummaryDue(tx, account_id, next_at)
  return due
}

async function readWeek(db: Queryable, account_id: string, by: Date) {
  const due_at = await selectSummaryDue(db, account_id)
  const [account] = await selectAccounts(db, [account_id])
  if (account === undefined || due_at === undefined || due_at > by) throw new AlreadyHandled()
  const { from, to, next_at, due_at: last_at } = weekBefore(by, account.timezone)
  const is_due = due_at <= last_at && timeOfUuid(account.id) <= to
  return { next_at, due: is_due ? { account, from, to } : undefined }
}

/** The last Monday at 8:00, the week before it, and the Monday after it. */
export function weekBefore(by: Date, zone: string) {
  const wall = wallTimeAt(by.getTime() - at_ms, zone)
  const days_since_monday = (new Date(wall).getUTCDay() + 6) % 7
  const monday = Math.floor(wall / day_ms) * day_ms - days_since_monday * day_ms
  const instant = (wall_ms: number) => new Date(instantOfWallTime(wall_ms, zone))
  return {
    due_at: instant(monday + at_ms),
    from: instant(monday - 7 * day_ms),
    to: new Date(instant(monday).getTime() - 1),
    next_at: instant(monday + 7 * day_ms + at_ms),
  }
}
