// GET /v1/account/balance: the balance of the account that the caller acts on, open or closed.

import { findActingAccount, unknownActingAccount } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { type Balance, type FindBalance, presentBalance } from '../ledger/find-balance.ts'

export async function getActingBalance(find: FindBalance, caller: Caller): Promise<Balance> {
  const id = findActingAccount(caller)
  const row = id === undefined ? undefined : await find(id)
  if (row === undefined) throw unknownActingAccount(caller)
  return presentBalance(row)
}
