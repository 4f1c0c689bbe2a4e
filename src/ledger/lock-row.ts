// The locked balance row of an account: all the state that a decision about its money needs.

export type AccountStatus = 'active' | 'suspended' | 'pending' | 'closed'

export interface AccountLock {
  account_id: string
  currency: string
  status: AccountStatus
  available: number
  incoming: number
  held: number
  posting_sequence: number
  event_sequence: number
  last_transaction_id: string
  last_at: Date
}

/** For verification: `is_closing` is set while slices of the account's closing remain. */
export type CheckedLock = AccountLock & { is_closing?: boolean }
