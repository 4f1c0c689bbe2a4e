// The weekly email to the owner of an account. Its cause is the week, so no week has two. A week in
// which nothing happened has none.

import {
  type DueSummary,
  findDueSummaries,
  findDueSummary,
  takeDueSummary,
} from '../accounts/summary-schedule.ts'
import { queueNotices } from '../email/notices.ts'
import { AlreadyHandled, type DueRowKey, type DueWork, dueJob } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { lockAccountIfExists } from '../ledger/account-lock.ts'
import { findPaymentIds } from '../payments/find-payment.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { toIso, toLocalIso } from '../primitives/time.ts'
import { sumWeek } from '../transactions/sum-volumes.ts'

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function weeklySummaryJob(
  db: Db,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(db, workOf(db), report)
}

function workOf(db: Db): DueWork<DueRowKey> {
  return {
    find: (search) => findDueSummaries(db, search),
    act: ({ account_id }, { by }) => summarize(db, account_id, by),
  }
}

/** The week is counted before the lock is taken: it may have a million payments. */
async function summarize(db: Db, account_id: string, by: Date): Promise<void> {
  const counted = await findDueSummary(db, account_id, by)
  const counts = counted && (await countWeek(db, account_id, counted))
  await db.transaction(async (tx) => {
    const lock = await lockAccountIfExists(tx, account_id)
    if (lock === undefined || lock.status === 'closed') throw new AlreadyHandled()
    const due = await takeDueSummary(tx, account_id, by)
    // Another time zone has another week: the next round counts it.
    if (due?.from.getTime() !== counted?.from.getTime()) throw new AlreadyHandled()
    if (due !== undefined && counts !== undefined && hasActivity(counts)) queue(tx, due, counts)
  })
}

function queue(tx: Tx, { account, from, to }: DueSummary, counts: WeekCounts): void {
  const { id, owner_id, email, language, timezone, name: account_name, currency } = account
  queueNotices(tx, [
    {
      account_id: id,
      user_id: owner_id,
      cause: `weekly_summary:${toLocalIso(from, timezone).slice(0, 10)}`,
      to: email,
      language,
      timezone,
      kind: 'weekly_summary',
      facts: { account_name, currency, from: toIso(from), to: toIso(to), ...counts },
    },
  ])
}

// More are not counted exactly.
const requests_max = 10_000

type WeekCounts = Awaited<ReturnType<typeof countWeek>>

async function countWeek(db: Db, account_id: string, { from, to }: DueSummary) {
  const limits = { oldest_first: false, limit: requests_max }
  const times = { updated_from: toIso(from), updated_to: toIso(to) }
  const { failed, ...sums } = await sumWeek(db, account_id, { from, to })
  const failed_requests = { status: 'failed', ...times } as const
  const requests_failed = await findPaymentIds(db, account_id, failed_requests, limits)
  const open = await findPaymentIds(db, account_id, { status: 'pending' }, limits)
  return { ...sums, failed: failed + requests_failed.length, open: open.length }
}

/** A request that is still open did not happen in this week. */
function hasActivity(counts: WeekCounts): boolean {
  return Object.values({ ...counts, open: 0 }).some((count) => count > 0)
}
