// When an account is closed, its endpoints still get every event up to the last one, with retries.
// Then the worker disables them: see sending/fan-out.ts.

import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { endEndpoints } from './queries.ts'

/** Call after the account's last event has been recorded. */
export async function endWebhooks(tx: Tx, lock: AccountLock): Promise<void> {
  await endEndpoints(tx, lock.account_id, lock.event_sequence)
}
