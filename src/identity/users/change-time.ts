import { timeUnderLock } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Tx } from '../../postgres/database.ts'
import type { UserRow } from './user.ts'

/**
 * The time of a change: now, but never before the last change of the user or the account. A
 * transaction that waited for a lock started before the one that held it.
 */
export function changeTime(tx: Tx, lock: AccountLock | undefined, before?: UserRow): Date {
  const now = lock === undefined ? tx.now : timeUnderLock(tx, lock)
  return before !== undefined && before.updated_at > now ? before.updated_at : now
}
