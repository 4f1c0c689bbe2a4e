// A worker claims rows of an outbox under a lease, sends them outside of any database transaction,
// and records each outcome if it still has the lease. If the worker dies before that, the lease
// expires and the row is sent again: delivery is at least once.

import { setTimeout as sleep } from 'node:timers/promises'
import { newRealTimeUuid } from '../primitives/ids.ts'

export interface Lease {
  id: string
  for_ms: number
}

export function newLease(for_ms: number): Lease {
  return { id: newRealTimeUuid(Date.now()), for_ms }
}

const record_retry_ms = [500, 2_000, 5_000]

/** A short database outage must not cause a row to be sent again. Ends well within a lease. */
export async function recordWithRetries<Result>(record: () => Promise<Result>): Promise<Result> {
  for (const wait_ms of record_retry_ms) {
    try {
      return await record()
    } catch {
      await sleep(wait_ms)
    }
  }
  return record()
}
