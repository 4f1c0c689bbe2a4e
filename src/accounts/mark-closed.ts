// Sets the status of an account to closed; closing/ does the rest.

import { unknownAccount } from '../identity/acting-account.ts'
import { changeStatusOrCurrency, raiseLastAt, timeUnderLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import type { CountChange } from '../postgres/list-counts.ts'
import { selectAccounts, updateAccountRow } from './queries.ts'

/** The caller applies the count changes, because counters are locked last. */
export async function markClosed(
  tx: Tx,
  lock: AccountLock,
): Promise<{ closed_at: Date; counts: CountChange[] }> {
  const [before] = await selectAccounts(tx, [lock.account_id])
  if (before === undefined) throw unknownAccount()
  const closed_at = timeUnderLock(tx, lock)
  const after = { ...before, status: 'closed' as const, closed_at, updated_at: closed_at }
  await updateAccountRow(tx, after)
  raiseLastAt(lock, closed_at)
  await changeStatusOrCurrency(tx, lock, { status: 'closed' })
  const row = { list: 'accounts', type: before.type, id: before.id } as const
  const counts: CountChange[] = [
    { ...row, status: before.status, by: -1 },
    { ...row, status: 'closed', by: 1 },
  ]
  return { closed_at, counts }
}
