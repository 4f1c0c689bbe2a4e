// Cancels the pending payment requests of a closed account, one page at a time. Callers hold the
// account's lock.

import { recordEvents } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { writeLedger } from '../ledger/write-ledger.ts'
import type { Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { WorkingSet } from '../transactions/working-set.ts'
import { cancelCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import { PaymentSet } from './payment-set.ts'
import { selectPendingPaymentsOf } from './queries.ts'
import { writePayments } from './run-batch.ts'

/** Returns the ids of the canceled requests. */
export async function cancelPendingPayments(
  tx: Tx,
  lock: AccountLock,
  page: IdPage,
  public_url: string,
): Promise<string[]> {
  const rows = await selectPendingPaymentsOf(tx, lock.account_id, page)
  const money = new WorkingSet(tx.now, { locks: [lock], rows: [], refunded: [] })
  // Needs no accounts: canceling sends no email.
  const set = new PaymentSet(money, public_url, { rows, accounts: [] })
  for (const row of rows) decidePayment(set, cancelCommand(row))
  writeLedger(tx, [...money.touched], money.postings)
  writePayments(tx, set)
  recordEvents(tx, money.events)
  return rows.map(({ id }) => id)
}
