// The locks that a change of one user takes, in the order that everyone keeps: the account, the
// service for an admin, the user's row, the user's tokens.

import { findAccountLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { lockInstance } from '../postgres/instance.ts'
import type { Caller } from '../sessions/caller.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockTokens } from '../sessions/revoke-sessions.ts'
import { lockUserRow } from './queries.ts'
import type { UserRow } from './user.ts'

export interface LockedUser {
  lock: AccountLock | undefined
  /** Undefined when the user has gone meanwhile, alone or with the whole account. */
  row: (UserRow & { password_hash: string }) | undefined
  /** A lone user has opened an account since `seen`: its lock is not held, so look again. */
  moved: boolean
}

export async function lockForChange(tx: Tx, caller: Caller, seen: UserRow): Promise<LockedUser> {
  const lock = seen.account_id === null ? undefined : await findAccountLock(tx, seen.account_id)
  if (seen.role === 'admin') await lockInstance(tx)
  const row = await lockUserRow(tx, seen.id)
  // All of the user's tokens before a share of the caller's: where the two are one person, requests
  // that each held a share of one token would wait for each other to let go of it.
  await lockTokens(tx, seen.id)
  await requireLiveToken(tx, caller)
  return { lock, row, moved: row !== undefined && row.account_id !== seen.account_id }
}
