// Reminds of payment requests that will expire soon, and cancels those that have, through the same
// lanes as everything else. One column says when a request must be looked at next, so both are one
// job; what is done is decided under the account's lock, so it is done once.

import { type DueRowKey, type DueWork, dueJob, runAllDue } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { listClosings } from '../ledger/closings.ts'
import type { Db } from '../postgres/database.ts'
import { backgroundEntry } from '../transactions/run-batch.ts'
import { dueCommand } from './commands.ts'
import type { PaymentLanes } from './lanes.ts'
import { selectDuePayments } from './queries.ts'

export interface DuePaymentParts {
  db: Db
  payment_lanes: PaymentLanes
}

/** The worker's rounds. What fails is told by `report`, once a round, and tried again later. */
export function duePaymentJob(
  parts: DuePaymentParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(parts.db, workOf(parts), report)
}

/** All that is due by then, at once and whoever holds the leases. */
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
