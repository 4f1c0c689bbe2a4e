// What closing an account does to its transactions: all that are pending are canceled, in the
// closing's own database transaction and under the account's lock.

import { recordEvents } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { writeBooks } from '../ledger/write-books.ts'
import type { Tx } from '../postgres/database.ts'
import { cancelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { selectPendingOf, selectRefundTotals } from './queries.ts'
import { writeTransactions } from './run-batch.ts'
import type { TransactionRow } from './transaction.ts'
import { WorkingSet } from './working-set.ts'

// Between two slices others have their turn: 30 000 in one go kept the process from all else for
// 0.9 s, and so many take 10 ms.
const slice_max = 500

/** All rows of a question, a slice at a time, by their ids. */
export async function* slices<Row extends { id: string }>(
  select: (page: { after: string; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await select({ after, limit: slice_max })
    if (rows.length > 0) yield rows
    if (rows.length < slice_max) return
    after = rows.at(-1)!.id
  }
}

export async function cancelPending(tx: Tx, lock: AccountLock): Promise<void> {
  for await (const rows of slices((page) => selectPendingOf(tx, lock.account_id, page))) {
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
