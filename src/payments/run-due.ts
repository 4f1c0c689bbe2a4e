// Sends reminders for payment requests that expire soon and cancels expired ones, through the same
// lanes as requests. One job does both: due_at is the time of the next action. The action is
// decided under the account's lock, so concurrent workers perform it once.

import { type DueRowKey, type DueWork, dueJob, runAllDue } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import { listClosings } from '../ledger/closings.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { dueCommand } from './commands.ts'
import type { PaymentLanes } from './lanes.ts'
import { countDuePayments as countRows, selectDuePayments } from './queries.ts'

export interface DuePaymentParts {
  db: Db
  payment_lanes: PaymentLanes
}

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function duePaymentJob(
  parts: DuePaymentParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(parts.db, workOf(parts), report)
}

/** Handles everything due by `by` now, regardless of job leases. */
export function runAllDuePayments(
  parts: DuePaymentParts,
  by: Date,
  within_ms: number,
): Promise<void> {
  return runAllDue(workOf(parts), by, within_ms)
}

function workOf({ db, payment_lanes }: DuePaymentParts): DueWork<DueRowKey> {
  return {
    find: async (search) => {
      const except_account_ids = await listClosings(db)
      return selectDuePayments(db, { ...search, except_account_ids })
    },
    act: async (row, { by, signal }) => {
      await payment_lanes.submit({
        command: dueCommand(row, by),
        ...backgroundEntry(row.account_id, signal),
      })
    },
  }
}

/** The number of requests with an overdue reminder or expiry. Each slot counts up to `limit`. */
export async function countDuePayments(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, { by, limit, except_account_ids: await listClosings(db) })
}
