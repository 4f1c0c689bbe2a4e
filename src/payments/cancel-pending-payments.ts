// Cancels the pending payment requests of a closed account, one page at a time. Callers hold the
// account's lock.

import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { cancelCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import { writePayments } from './lanes.ts'
import { PaymentSet } from './payment-set.ts'
import { selectPendingPaymentsOf } from './queries.ts'

/** Returns the ids of the canceled requests. */
export async function cancelPendingPayments(
  tx: Tx,
  lock: AccountLock,
  page: IdPage,
  public_url: string,
): Promise<string[]> {
  const rows = await selectPendingPaymentsOf(tx, lock.account_id, page)
  // Needs no accounts: canceling sends no email.
  const loaded = { rows, has_providers: true }
  const set = new PaymentSet(new LockedAccounts(tx.now, [lock]), public_url, loaded)
  for (const row of rows) decidePayment(set, cancelCommand(row))
  writeChanges(tx, set, writePayments)
  return rows.map(({ id }) => id)
}
