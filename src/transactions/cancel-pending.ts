// Cancels the pending transactions of a closed account, one page at a time. Callers hold the
// account's lock.

import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { cancelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { refundedPayments, writeTransactions } from './lanes.ts'
import { selectPendingOf, selectRefundTotals } from './queries.ts'
import { TransactionSet } from './transaction-set.ts'

/** Returns the ids of the canceled transactions. */
export async function cancelPending(tx: Tx, lock: AccountLock, page: IdPage): Promise<string[]> {
  const rows = await selectPendingOf(tx, lock.account_id, page)
  const payments = refundedPayments(rows)
  const refunded = payments.length === 0 ? [] : await selectRefundTotals(tx, payments)
  const set = new TransactionSet(new LockedAccounts(tx.now, [lock]), { rows, refunded })
  for (const row of rows) decide(set, cancelCommand(row))
  writeChanges(tx, set, writeTransactions)
  return rows.map(({ id }) => id)
}
