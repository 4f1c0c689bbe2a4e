// Where keys belong: to an account, or to the service itself when they are a platform's.

import { findAccountLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../sessions/acting-account.ts'
import type { Caller } from '../sessions/caller.ts'
import { namesNoAccount } from '../sessions/permissions.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'

/** The account's id, or null for the keys of platforms, which an admin without header means. */
export type KeyOwner = string | null

/** Without an account an admin may only mean the keys of platforms, and has to say so. */
export function getKeyOwner(caller: Caller, means_platform: boolean): KeyOwner {
  const account_id = findActingAccount(caller)
  if (account_id !== undefined) return account_id
  if (caller.role !== 'admin') throw unknownActingAccount(caller)
  if (!means_platform) throw namesNoAccount(caller)
  return null
}

/** For reading: the account exists, open or closed. */
export async function getReadableKeyOwner(
  db: Queryable,
  caller: Caller,
  means_platform: boolean,
): Promise<KeyOwner> {
  const place = getKeyOwner(caller, means_platform)
  return place === null ? null : getActingAccountId(db, caller)
}

/** For a change: the account's lock and a live token. Platform keys have no account to lock. */
export async function lockKeyOwner(
  tx: Tx,
  caller: Caller,
  place: KeyOwner,
): Promise<AccountLock | undefined> {
  if (place !== null) return lockOpenAccount(tx, caller, place)
  await requireLiveToken(tx, caller)
  return undefined
}

/** The locks of many accounts, taken in the one order that everybody keeps. */
export async function lockAccounts(tx: Tx, ids: string[]): Promise<Map<string, AccountLock>> {
  const locks = new Map<string, AccountLock>()
  for (const id of [...new Set(ids)].sort()) {
    const lock = await findAccountLock(tx, id)
    if (lock !== undefined) locks.set(id, lock)
  }
  return locks
}
