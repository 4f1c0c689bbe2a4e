// An event as evidence that its change was committed: see docs/decisions/0015-commit-outcome.md.

import { findEventId } from '../events/find-events.ts'
import type { Evidence } from '../postgres/commit-evidence.ts'
import { OutcomeUnknown } from '../postgres/failure.ts'
import { selectBalanceForUpdate } from './queries.ts'

interface WrittenEvent {
  account_id: string
  sequence: number
  id: string
}

/**
 * The change must have held the account lock before it sent COMMIT, so taking the lock again waits
 * until it has ended. Another batch may have used the sequence number since, but not the id.
 */
export function eventEvidence({ account_id, sequence, id }: WrittenEvent): Evidence {
  return async (tx) => {
    const lock = await selectBalanceForUpdate(tx, account_id)
    if (lock === undefined) throw new OutcomeUnknown()
    if (lock.event_sequence < sequence) return false
    const found_id = await findEventId(tx, account_id, sequence)
    // Deleted since, so it proves nothing.
    if (found_id === undefined) throw new OutcomeUnknown()
    return found_id === id
  }
}
