// When an account is closed, its endpoints end with its last event: everything up to it is sent,
// with all tries, and then the worker disables them. See sending/fan-out.ts.

import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { endEndpoints } from './queries.ts'

/** After the closing has announced its last event. */
export async function endWebhooks(tx: Tx, lock: AccountLock): Promise<void> {
  await endEndpoints(tx, lock.account_id, lock.event_sequence)
}
