// What closing an account does to its transactions: all that are pending are canceled, in the
// closing's own database transaction and under the account's lock.

import { recordEvents } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { writeBooks } from '../ledger/write-books.ts'
import type { Tx } from '../postgres/database.ts'
import { walkById } from '../postgres/walk-by-id.ts'
import { cancelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { selectPendingOf, selectRefundTotals } from './queries.ts'
import { writeTransactions } from './run-batch.ts'
import type { TransactionRow } from './transaction.ts'
import { WorkingSet } from './working-set.ts'

export async function cancelPending(tx: Tx, lock: AccountLock): Promise<void> {
  for await (const rows of walkById((page) => selectPendingOf(tx, lock.account_id, page))) {
    await cancelRows(tx, lock, rows)
  }
}

async function cancelRows(tx: Tx, lock: AccountLock, rows: TransactionRow[]): Promise<void> {
  const payments = rows.flatMap(({ account_id, refund_of }) =>
    refund_of === null ? [] : [{ account_id, id: refund_of }],
  )
  const refunded = payments.length === 0 ? [] : await selectRefundTotals(tx, payments)
  const set = new WorkingSet(tx.now, { locks: [lock], rows, refunded })
  for (const row of rows) decide(set, cancelCommand(row))
  writeBooks(tx, [...set.touched], set.postings)
  writeTransactions(tx, set)
  recordEvents(tx, set.events)
}
