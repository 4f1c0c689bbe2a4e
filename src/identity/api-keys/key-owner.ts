// The owner of API keys: an account, or the service itself for platform keys.

import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Queryable, Tx } from '../../postgres/database.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../acting-account.ts'
import type { Caller } from '../caller.ts'
import { namesNoAccount } from '../permissions.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'

/** The id of the account, or null for platform keys. */
export type KeyOwner = string | null

/** An admin without the header must request platform keys explicitly. */
export function getKeyOwner(caller: Caller, means_platform: boolean): KeyOwner {
  const account_id = findActingAccount(caller)
  if (account_id !== undefined) return account_id
  if (caller.role !== 'admin') throw unknownActingAccount(caller)
  if (!means_platform) throw namesNoAccount(caller)
  return null
}

/** For reads: the account must exist, open or closed. */
export async function getReadableKeyOwner(
  db: Queryable,
  caller: Caller,
  means_platform: boolean,
): Promise<KeyOwner> {
  const owner = getKeyOwner(caller, means_platform)
  return owner === null ? null : getActingAccountId(db, caller)
}

/** For writes: checks the token and locks the account, which platform keys do not have. */
export async function lockKeyOwner(
  tx: Tx,
  caller: Caller,
  owner: KeyOwner,
): Promise<AccountLock | undefined> {
  if (owner !== null) return lockOpenAccount(tx, caller, owner)
  await requireLiveToken(tx, caller)
  return undefined
}

/** Locks many accounts, ordered by id to prevent deadlocks. */
export async function lockAccounts(tx: Tx, ids: string[]): Promise<Map<string, AccountLock>> {
  const locks = new Map<string, AccountLock>()
  for (const id of [...new Set(ids)].sort()) {
    const lock = await lockAccountIfExists(tx, id)
    if (lock !== undefined) locks.set(id, lock)
  }
  return locks
}
