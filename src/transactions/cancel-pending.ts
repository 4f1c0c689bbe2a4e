// Cancels the pending transactions of a closed account, one page at a time. Callers hold the
// account's lock.

import { recordEvents } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { writeLedger } from '../ledger/write-ledger.ts'
import type { Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { cancelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { selectPendingOf, selectRefundTotals } from './queries.ts'
import { writeTransactions } from './run-batch.ts'
import type { TransactionRow } from './transaction.ts'
import { WorkingSet } from './working-set.ts'

/** Returns the ids of the canceled transactions. */
export async function cancelPending(tx: Tx, lock: AccountLock, page: IdPage): Promise<string[]> {
  const rows = await selectPendingOf(tx, lock.account_id, page)
  if (rows.length > 0) await cancelRows(tx, lock, rows)
  return rows.map(({ id }) => id)
}

async function cancelRows(tx: Tx, lock: AccountLock, rows: TransactionRow[]): Promise<void> {
  const payments = rows.flatMap(({ account_id, refund_of }) =>
    refund_of === null ? [] : [{ account_id, id: refund_of }],
  )
  const refunded = payments.length === 0 ? [] : await selectRefundTotals(tx, payments)
  const set = new WorkingSet(tx.now, { locks: [lock], rows, refunded })
  for (const row of rows) decide(set, cancelCommand(row))
  writeLedger(tx, [...set.touched], set.postings)
  writeTransactions(tx, set)
  recordEvents(tx, set.events)
}
