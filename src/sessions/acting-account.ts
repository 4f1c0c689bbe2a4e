// Which account a caller acts on: the own one, or the one that Florin-Account names.

import { balanceExists, findAccountLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type Caller, isAdminOrPlatform } from './caller.ts'
import { requireLiveToken } from './require-live-token.ts'

/** The account's id, or undefined for a caller without one who names none. */
export function findActingAccount(caller: Caller): string | undefined {
  const named = caller.header_account_id
  if (isAdminOrPlatform(caller)) {
    if (named === 'unknown') throw unknownActingAccount(caller)
    return named
  }
  if (named !== undefined && named !== caller.account_id) throw unknownActingAccount(caller)
  return caller.account_id ?? undefined
}

/** Undefined for all accounts, or for none. An account that the header names must be there. */
export async function findListedAccount(
  db: Queryable,
  caller: Caller,
): Promise<string | undefined> {
  const named = isAdminOrPlatform(caller) && caller.header_account_id !== undefined
  return named ? getActingAccountId(db, caller) : findActingAccount(caller)
}

/** For reading: the account exists, open or closed. */
export async function getActingAccountId(db: Queryable, caller: Caller): Promise<string> {
  const account_id = findActingAccount(caller)
  if (account_id !== undefined && (await balanceExists(db, account_id))) return account_id
  throw unknownActingAccount(caller)
}

/** For a change: the account's lock, with a token that still lives, on an account that is open. */
export async function lockOpenAccount(
  tx: Tx,
  caller: Caller,
  account_id: string,
): Promise<AccountLock> {
  const lock = await findAccountLock(tx, account_id)
  // Asked before the account's status: closing it has ended the tokens of its own people.
  await requireLiveToken(tx, caller)
  // A closed account is there for reading only.
  if (lock === undefined || lock.status === 'closed') throw unknownActingAccount(caller)
  return lock
}

/** For whoever may have named it in the header: then that is where to look. */
export function unknownActingAccount(caller: Caller): Refusal {
  return caller.header_account_id === undefined ? unknownAccount() : unknownHeader()
}

export function unknownHeader(): Refusal {
  const message = 'No account has the id in the Florin-Account header, or it is closed.'
  return new Refusal('not_found', message)
}

export function unknownAccount(): Refusal {
  return new Refusal('not_found', 'No account has this id, or it is closed.')
}
