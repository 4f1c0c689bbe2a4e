// The locks of a change to one user, in the global lock order: the user's account and all accounts
// for which the user created API keys, the instance if the user is an admin, the user's row, the
// user's sessions.

import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Tx } from '../../postgres/database.ts'
import { lockInstance } from '../../postgres/instance.ts'
import { lockAccounts } from '../api-keys/key-owner.ts'
import { listAccountsOfCreator } from '../api-keys/revoke-keys.ts'
import type { Caller } from '../caller.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockSessions } from '../sessions/revoke-sessions.ts'
import { lockUserRow } from './queries.ts'
import type { UserRow } from './user.ts'

export interface LockedUser {
  lock: AccountLock | undefined
  /** Locks of all accounts with a live API key that this user created. */
  key_locks: ReadonlyMap<string, AccountLock>
  /** Undefined if the user or the account was deleted since. */
  row: (UserRow & { password_hash: string }) | undefined
  /** Another account, which is not locked, is affected since `seen` was read. Retry. */
  moved: boolean
}

export async function lockForChange(tx: Tx, caller: Caller, seen: UserRow): Promise<LockedUser> {
  const locked = await lockWithSessions(tx, seen)
  await requireLiveToken(tx, caller)
  return locked
}

/** For a change by a worker, without a token. */
export async function lockWithSessions(tx: Tx, seen: UserRow): Promise<LockedUser> {
  const key_account_ids = await listAccountsOfCreator(tx, seen.id)
  const key_locks = await lockAccounts(tx, [
    ...key_account_ids,
    ...(seen.account_id ? [seen.account_id] : []),
  ])
  const lock = seen.account_id === null ? undefined : key_locks.get(seen.account_id)
  if (seen.role === 'admin') await lockInstance(tx)
  const is_closed = lock?.status === 'closed'
  const row = is_closed ? undefined : await lockUserRow(tx, seen.id)
  // Before the shared lock on the caller's session: if the caller is this user, two requests that
  // both hold a shared lock would deadlock here.
  await lockSessions(tx, seen.id)
  // With the sessions locked, no request of the user can create another key.
  const key_account_ids_now = await listAccountsOfCreator(tx, seen.id)
  const moved =
    (row !== undefined && row.account_id !== seen.account_id) ||
    key_account_ids_now.some((account_id) => !key_locks.has(account_id))
  return { lock, key_locks, row, moved }
}
