// The locked balance row of an account: all the state that a decision about its money needs.

import type { Tx } from '../postgres/database.ts'

export type AccountStatus = 'active' | 'suspended' | 'pending' | 'closed'

export interface AccountLock {
  account_id: string
  currency: string
  status: AccountStatus
  available: number
  incoming: number
  held: number
  /** A debt to the operator. `available` is zero while it is positive. */
  owed: number
  posting_sequence: number
  event_sequence: number
  last_transaction_id: string
  last_at: Date
  /** The day that `metadata_day_bytes` counts, in days since 1970 (UTC). */
  metadata_day: number
  metadata_day_bytes: number
  /** Subscriptions that are not canceled. */
  open_subscriptions: number
}

/** For verification: `is_closing` is set while slices of the account's closing remain. */
export type CheckedLock = AccountLock & { is_closing?: boolean }

/** Rows of these accounts can be inserted on Citus without a further check of their balances. */
export function noteBalances(tx: Tx, locks: AccountLock[]): AccountLock[] {
  if (!tx.shards.is_distributed) return locks
  for (const { account_id } of locks) tx.known_balances.add(account_id)
  return locks
}
