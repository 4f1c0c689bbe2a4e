// The locks that a change of one user takes, in the order that everyone keeps: the account, and any
// other that the user has made a key for, the service for an admin, the user's row, the user's
// sessions.

import { lockAccounts } from '../api-keys/key-owner.ts'
import { listAccountsOfCreator } from '../api-keys/revoke-keys.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { lockInstance } from '../postgres/instance.ts'
import type { Caller } from '../sessions/caller.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockSessions } from '../sessions/revoke-sessions.ts'
import { lockUserRow } from './queries.ts'
import type { UserRow } from './user.ts'

export interface LockedUser {
  lock: AccountLock | undefined
  /** Of every account that has a live key of this user's making. */
  key_locks: ReadonlyMap<string, AccountLock>
  /** Undefined when the user has gone meanwhile, alone or with the whole account. */
  row: (UserRow & { password_hash: string }) | undefined
  /** An account has come into play since `seen` whose lock is not held, so look again. */
  moved: boolean
}

export async function lockForChange(tx: Tx, caller: Caller, seen: UserRow): Promise<LockedUser> {
  const locked = await lockWithSessions(tx, seen)
  await requireLiveToken(tx, caller)
  return locked
}

/** For a change that no caller's token stands behind. */
export async function lockWithSessions(tx: Tx, seen: UserRow): Promise<LockedUser> {
  const made_for = await listAccountsOfCreator(tx, seen.id)
  const key_locks = await lockAccounts(tx, [
    ...made_for,
    ...(seen.account_id ? [seen.account_id] : []),
  ])
  const lock = seen.account_id === null ? undefined : key_locks.get(seen.account_id)
  if (seen.role === 'admin') await lockInstance(tx)
  const is_closed = lock?.status === 'closed'
  const row = is_closed ? undefined : await lockUserRow(tx, seen.id)
  // All of the user's sessions before a share of the caller's: where the two are one person, two
  // requests that each held a share of one session would deadlock.
  await lockSessions(tx, seen.id)
  // With the sessions locked, no request of the user can create another key.
  const now_made_for = await listAccountsOfCreator(tx, seen.id)
  const moved =
    (row !== undefined && row.account_id !== seen.account_id) ||
    now_made_for.some((account_id) => !key_locks.has(account_id))
  return { lock, key_locks, row, moved }
}
