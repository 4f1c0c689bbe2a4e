// The account that a caller acts on: the caller's account, or the one in the Florin-Account header.

import { balanceExists, lockAccountIfExists } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type Caller, isAdminOrPlatform } from './caller.ts'
import { requireLiveToken } from './sessions/require-live-token.ts'

/** Undefined if the caller has no account and sent no header. */
export function findActingAccount(caller: Caller): string | undefined {
  const named = caller.header_account_id
  if (isAdminOrPlatform(caller)) {
    if (named === 'unknown') throw unknownActingAccount(caller)
    return named
  }
  if (named !== undefined && named !== caller.account_id) throw unknownActingAccount(caller)
  return caller.account_id ?? undefined
}

/**
 * Undefined for admins and platforms without the header, who list all accounts, and for lone users.
 * An account in the header must exist.
 */
export async function findListedAccount(
  db: Queryable,
  caller: Caller,
): Promise<string | undefined> {
  const named = isAdminOrPlatform(caller) && caller.header_account_id !== undefined
  return named ? getActingAccountId(db, caller) : findActingAccount(caller)
}

/** For reads: the account must exist, open or closed. */
export async function getActingAccountId(db: Queryable, caller: Caller): Promise<string> {
  const account_id = findActingAccount(caller)
  if (account_id !== undefined && (await balanceExists(db, account_id))) return account_id
  throw unknownActingAccount(caller)
}

/** For writes: locks the account and checks that the token is valid and the account is open. */
export async function lockOpenAccount(
  tx: Tx,
  caller: Caller,
  account_id: string,
): Promise<AccountLock> {
  const lock = await lockAccountIfExists(tx, account_id)
  // Before the status check: closing an account revokes the tokens of its users, who must get 401.
  await requireLiveToken(tx, caller)
  // A closed account is read-only.
  if (lock === undefined || lock.status === 'closed') throw unknownActingAccount(caller)
  return lock
}

/** Mentions the header only if the caller sent one. */
export function unknownActingAccount(caller: Caller): Refusal {
  return caller.header_account_id === undefined ? unknownAccount() : unknownHeader()
}

export function unknownHeader(): Refusal {
  const message = 'No account with the id in the Florin-Account header exists, or it is closed.'
  return new Refusal('not_found', message)
}

export function unknownAccount(): Refusal {
  return new Refusal('not_found', 'No account with this id exists, or it is closed.')
}
