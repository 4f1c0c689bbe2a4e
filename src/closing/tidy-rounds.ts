// The worker's part of closing accounts: one slice of each in turn, so that a large account keeps
// no small one waiting, and one at a time, so that it holds one client.

import type { Round, Turn } from '../jobs/timer.ts'
import { listClosingsOfSlots } from '../ledger/closings.ts'
import { type TidyParts, tidyUpSlice } from './tidy-up.ts'

const accounts_max = 50

export type ReportTidying = (error: unknown, account_id: string) => void

export async function tidyRound(
  parts: TidyParts,
  { slots, signal }: Turn,
  report: ReportTidying,
): Promise<Round> {
  const accounts = await listClosingsOfSlots(parts.db, slots, accounts_max)
  let done = 0
  let more = accounts.length === accounts_max
  for (const account_id of accounts) {
    if (signal.aborted) break
    try {
      more = (await tidyUpSlice(parts, account_id)) || more
      done += 1
    } catch (error) {
      report(error, account_id)
    }
  }
  // Without any success to go on at once would only be to fail at once.
  return { done, more: more && done > 0 }
}
