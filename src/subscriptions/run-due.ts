// Requests payment for subscription periods that have begun. The period is decided under the
// account's lock from the subscription's row, so concurrent workers request it once.

import { type DueRowKey, type DueWork, dueJob, runAllDue } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { dueCommand } from './commands.ts'
import type { SubscriptionLanes } from './lanes.ts'
import { countDueSubscriptions as countRows, selectDueSubscriptions } from './queries.ts'

export interface DueSubscriptionParts {
  db: Db
  subscription_lanes: SubscriptionLanes
}

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function dueSubscriptionJob(
  parts: DueSubscriptionParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  const round = dueJob(parts.db, workOf(parts), report)
  return async (turn) => {
    const { done, more } = await round(turn)
    // A subscription that is far behind is due again at once: each round handles some periods.
    return { done, more: more || done > 0 }
  }
}

/** Handles everything due by `by` now, regardless of job leases. */
export function runAllDueSubscriptions(
  parts: DueSubscriptionParts,
  by: Date,
  within_ms: number,
): Promise<void> {
  return runAllDue(workOf(parts), by, within_ms)
}

function workOf({ db, subscription_lanes }: DueSubscriptionParts): DueWork<DueRowKey> {
  return {
    find: (search) => selectDueSubscriptions(db, search),
    act: async (row, { by, signal }) => {
      await subscription_lanes.submit({
        command: dueCommand(row, by),
        ...backgroundEntry(row.account_id, signal),
      })
    },
  }
}

/** The number of subscriptions whose next period has begun. Each slot counts up to `limit`. */
export function countDueSubscriptions(db: Queryable, by: Date, limit: number): Promise<number> {
  return countRows(db, by, limit)
}
