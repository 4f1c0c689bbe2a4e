// Reads the bank accounts that payers transfer to: for the API and the payment page.

import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { coalesce } from '../../postgres/coalesce.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { tooBusy } from '../../primitives/refusal.ts'
import type { BankAccount } from '../../processor-settings.ts'
import { type BankDetails, type BankDetailsRow, presentBankDetails } from './bank-details.ts'
import { selectBankDetails } from './queries.ts'

export async function getBankDetails(
  db: Db,
  caller: Caller,
  instance: BankAccount | undefined,
): Promise<BankDetails> {
  const account_id = await getActingAccountId(db, caller)
  return presentBankDetails(account_id, await findBankDetails(db, account_id), instance)
}

export async function findBankDetails(
  db: Queryable,
  account_id: string,
): Promise<BankDetailsRow | undefined> {
  const [row] = await selectBankDetails(db, [account_id])
  return row
}

/** Concurrent lookups share one statement. */
export function bankDetailsFinder(
  db: Db,
): (account_id: string) => Promise<BankDetailsRow | undefined> {
  const limits = { batch_max: 256, queue_max: 4_096 }
  return coalesce((ids: string[]) => findInOrder(db, ids), limits, tooBusy)
}

async function findInOrder(db: Db, ids: string[]): Promise<(BankDetailsRow | undefined)[]> {
  const rows = await selectBankDetails(db, ids)
  const by_id = new Map(rows.map((row) => [row.account_id, row]))
  return ids.map((id) => by_id.get(id))
}
