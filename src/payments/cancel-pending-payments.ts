// What closing an account does to its payment requests: all that are pending are canceled, some at
// a time and under the account's lock.

import { recordEvents } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { writeBooks } from '../ledger/write-books.ts'
import type { IdPage } from '../postgres/cursor-edge.ts'
import type { Tx } from '../postgres/database.ts'
import { WorkingSet } from '../transactions/working-set.ts'
import { cancelCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import { PaymentSet } from './payment-set.ts'
import { selectPendingPaymentsOf } from './queries.ts'
import { writePayments } from './run-batch.ts'

/** The ids of those that it canceled. */
export async function cancelPendingPayments(
  tx: Tx,
  lock: AccountLock,
  page: IdPage,
  public_url: string,
): Promise<string[]> {
  const rows = await selectPendingPaymentsOf(tx, lock.account_id, page)
  const money = new WorkingSet(tx.now, { locks: [lock], rows: [], refunded: [] })
  // Nobody is written to: the account that would be named in the letter is closed.
  const set = new PaymentSet(money, public_url, { rows, accounts: [] })
  for (const row of rows) decidePayment(set, cancelCommand(row))
  writeBooks(tx, [...money.touched], money.postings)
  writePayments(tx, set)
  recordEvents(tx, money.events)
  return rows.map(({ id }) => id)
}
