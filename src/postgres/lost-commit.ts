// Finds out whether a change was committed, after the connection was lost during COMMIT.

import type pg from 'pg'
import { ClientTx } from './client-tx.ts'
import type { Evidence } from './commit-evidence.ts'
import { disconnect } from './driver/flush.ts'
import { OutcomeUnknown } from './failure.ts'

// Longer than any statement may take, and short enough to respond to the caller within 10 s.
const check_timeout_ms = 5_000
const pause_ms = 50

/** Throws OutcomeUnknown if the check does not succeed in time. */
export async function wasCommitted(pool: pg.Pool, evidence: Evidence): Promise<boolean> {
  const until = performance.now() + check_timeout_ms
  for (;;) {
    try {
      return await check(pool, evidence, until)
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw error
    }
    if (performance.now() > until) throw new OutcomeUnknown()
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
  }
}

/**
 * A committed change may be on the primary only, if its wait for a synchronous standby was
 * canceled. The standby receives changes in order: once this later one is confirmed, so is the
 * change. COMMIT throws OutcomeUnknown if the server sends a warning.
 */
async function check(pool: pg.Pool, evidence: Evidence, until: number): Promise<boolean> {
  const client = await pool.connect()
  const deadline = setTimeout(() => disconnect(client), Math.max(0, until - performance.now()))
  const tx = new ClientTx(client)
  try {
    await tx.begun
    const was_committed = await evidence(tx)
    // The check can be repeated, so it needs no other evidence.
    tx.proveBy(evidence)
    await tx.commit()
    return was_committed
  } catch (error) {
    await tx.rollback()
    tx.discard(error)
    throw error
  } finally {
    clearTimeout(deadline)
    tx.release()
  }
}
