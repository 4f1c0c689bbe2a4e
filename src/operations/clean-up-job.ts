// The worker's part of closing accounts. Accounts take turns with one slice each, so a large
// account does not delay small ones. Slices run one at a time and use one database client.

import type { JobContext, JobResult } from '../jobs/timer.ts'
import { listClosingsOfSlots } from '../ledger/closings.ts'
import { type CleanUpParts, cleanUpSlice } from './clean-up.ts'

const accounts_max = 50

type ReportCleanUpError = (error: unknown, account_id: string) => void

export async function cleanUpJob(
  parts: CleanUpParts,
  { slots, signal }: JobContext,
  report: ReportCleanUpError,
): Promise<JobResult> {
  const accounts = await listClosingsOfSlots(parts.db, slots, accounts_max)
  let done = 0
  let more = accounts.length === accounts_max
  for (const account_id of accounts) {
    if (signal.aborted) break
    try {
      more = (await cleanUpSlice(parts, account_id)) || more
      done += 1
    } catch (error) {
      report(error, account_id)
    }
  }
  // If every slice failed, wait for the next round instead of retrying at once.
  return { done, more: more && done > 0 }
}
