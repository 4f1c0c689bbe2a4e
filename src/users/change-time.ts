import { timeUnderLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import type { UserRow } from './user.ts'

/**
 * When a user changes: now, but never before the last change of the user or of the account. A
 * change that waited for a lock began before the one that held it.
 */
export function changeTime(tx: Tx, lock: AccountLock | undefined, before?: UserRow): Date {
  const now = lock === undefined ? tx.now : timeUnderLock(tx, lock)
  return before !== undefined && before.updated_at > now ? before.updated_at : now
}
