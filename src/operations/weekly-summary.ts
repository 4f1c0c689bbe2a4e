// The weekly email to the owner of an account. Its cause is the week, so no week has two. A week in
// which nothing happened has none.

import { findDueSummaries, takeDueSummary } from '../accounts/summary-schedule.ts'
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
    act: ({ account_id }, { by }) => db.transaction((tx) => summarize(tx, account_id, by)),
  }
}

async function summarize(tx: Tx, account_id: string, by: Date): Promise<void> {
  const lock = await lockAccountIfExists(tx, account_id)
  if (lock === undefined || lock.status === 'closed') throw new AlreadyHandled()
  const due = await takeDueSummary(tx, account_id, by)
  if (due === undefined) return
  const { account, from, to } = due
  const counts = await countWeek(tx, account_id, from, to)
  if (Object.values(counts).every((count) => count === 0)) return
  const { owner_id: user_id, email, language, timezone, name: account_name, currency } = account
  queueNotices(tx, [
    {
      account_id,
      user_id,
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

async function countWeek(tx: Tx, account_id: string, from: Date, to: Date) {
  const limits = { oldest_first: false, limit: requests_max }
  const failed_since = { status: 'failed', updated_from: toIso(from) } as const
  const { failed, ...sums } = await sumWeek(tx, account_id, { from, to })
  const requests_failed = await findPaymentIds(tx, account_id, failed_since, limits)
  const open = await findPaymentIds(tx, account_id, { status: 'pending' }, limits)
  return { ...sums, failed: failed + requests_failed.length, open: open.length }
}
