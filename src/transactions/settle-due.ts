// Settles pending transactions that are due, through the same lanes as requests but with lower
// priority. Settlement is idempotent: the status is checked under the account's lock, so concurrent
// workers settle a transaction once.

import { type DueContext, type DueWork, dueJob, runAllDue } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import { listClosings } from '../ledger/closings.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import type { Processor } from '../processors/processor.ts'
import { settleDueCommand } from './commands.ts'
import type { TransactionLanes } from './lanes.ts'
import { countDue, type DueRow, selectDue } from './queries.ts'

export interface SettlementParts {
  db: Db
  lanes: TransactionLanes
  processor: Processor
}

/** With a manual processor, nothing is ever due. */
export function settlesAutomatically(processor: Processor): boolean {
  return processor.settle_after_ms !== undefined
}

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function dueSettlementJob(
  parts: SettlementParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(parts.db, settlement(parts), report)
}

/** Settles everything due by `by` now, regardless of job leases. */
export async function settleAllDue(
  parts: SettlementParts,
  by: Date,
  within_ms: number,
): Promise<void> {
  if (!settlesAutomatically(parts.processor)) return
  await runAllDue(settlement(parts), by, within_ms)
}

function settlement(parts: SettlementParts): DueWork<DueRow> {
  return {
    find: async (search) => {
      const except_account_ids = await listClosings(parts.db)
      return selectDue(parts.db, { ...search, except_account_ids })
    },
    act: (row, context) => settle(parts, row, context),
  }
}

async function settle(
  parts: SettlementParts,
  row: DueRow,
  { by, signal }: DueContext,
): Promise<void> {
  const outcome = parts.processor.outcomeOf(row)
  await parts.lanes.submit({
    command: settleDueCommand(row, outcome, by),
    ...backgroundEntry(row.account_id, signal),
  })
}

/** The number of transactions that are due for settlement. Each slot counts up to `limit`. */
export async function countDueTransactions(
  db: Queryable,
  by: Date,
  limit: number,
): Promise<number> {
  return countDue(db, { by, limit, except_account_ids: await listClosings(db) })
}
