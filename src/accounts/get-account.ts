// Reads one account: the caller's, or any account by id for admins and platforms.

import {
  findActingAccount,
  unknownAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { type Balance, type FindBalance, presentBalance } from '../ledger/find-balance.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import { tooBusy } from '../primitives/refusal.ts'
import { type Account, type AccountRow, presentAccount } from './account.ts'
import { selectAccounts } from './queries.ts'

type FindAccount = (id: string) => Promise<AccountRow | undefined>

/** Concurrent lookups share one statement. */
export function accountFinder(db: Db): FindAccount {
  const limits = { batch_max: 256, queue_max: 4_096 }
  return coalesce((ids: string[]) => findInOrder(db, ids), limits, tooBusy)
}

async function findInOrder(db: Db, ids: string[]): Promise<(AccountRow | undefined)[]> {
  const rows = await selectAccounts(db, ids)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => by_id.get(id))
}

/** The account the caller acts on. Admins and platforms can read closed accounts too. */
export async function getActingAccount(find: FindAccount, caller: Caller): Promise<Account> {
  const id = findActingAccount(caller)
  const row = id === undefined ? undefined : await find(id)
  if (row === undefined) throw unknownActingAccount(caller)
  return presentAccount(row)
}

export async function getAccount(find: FindAccount, account_id: string): Promise<Account> {
  const row = await find(requireAccountId(account_id))
  if (row === undefined) throw unknownAccount()
  return presentAccount(row)
}

/** A malformed id is rejected before the body is validated. */
export function requireAccountId(text: string): string {
  const id = findUuid('account', text)
  if (id === undefined) throw unknownAccount()
  return id
}

/** The balance of the account that the caller acts on, open or closed. */
export async function getActingBalance(find: FindBalance, caller: Caller): Promise<Balance> {
  const id = findActingAccount(caller)
  const row = id === undefined ? undefined : await find(id)
  if (row === undefined) throw unknownActingAccount(caller)
  return presentBalance(row)
}
