// Rows for tests without a database.

import type { AccountLock } from '../../src/ledger/lock-row.ts'
import { firstUuidAt, nil_uuid } from '../../src/primitives/ids.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import type { RefundTotal } from '../../src/transactions/transaction-set.ts'

export const now = new Date('2090-11-15T09:30:00.000Z')
export const account_id = firstUuidAt(Date.UTC(2090, 0, 1))

export function lockOf(more: Partial<AccountLock> = {}): AccountLock {
  return {
    account_id,
    currency: 'USD',
    status: 'active',
    available: 0,
    incoming: 0,
    held: 0,
    owed: 0,
    posting_sequence: 0,
    event_sequence: 0,
    last_transaction_id: nil_uuid,
    last_at: new Date(now.getTime() - 60_000),
    metadata_day: 0,
    metadata_day_bytes: 0,
    open_subscriptions: 0,
    ...more,
  }
}

let created = 0

/** A pending payment of 100 by default. */
export function rowOf(more: Partial<TransactionRow> = {}): TransactionRow {
  created += 1
  return {
    account_id,
    id: firstUuidAt(now.getTime() - 50_000 + created),
    status: 'pending',
    amount: 100,
    currency: 'USD',
    type: 'payment',
    refund_of: null,
    due_at: null,
    updated_at: new Date(now.getTime() - 50_000 + created),
    reference: null,
    metadata: null,
    ...more,
  }
}

/** The total of a payment without refunds. */
export function totalOf(payment_id: string): RefundTotal {
  return { account_id, payment_id, amount: 0, succeeded_amount: 0, last_succeeded_at: null }
}
