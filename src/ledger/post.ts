// Decides one posting. Pure except that it updates the given lock, the in-memory copy of the
// account's balance row. A rejected posting leaves the lock unchanged.

import { balance_max } from '../primitives/money.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { AccountLock } from './lock-row.ts'
import { type Bucket, type Movement, movements } from './posting-rules.ts'

export interface Posting {
  account_id: string
  sequence: number
  transaction_id: string
  movement: Movement
  amount: number
  available_after: number
  at: Date
}

export function post(
  lock: AccountLock,
  posting: { transaction_id: string; movement: Movement; amount: number; at: Date },
): Posting {
  const { from, to } = movements[posting.movement]
  requireRoom(lock, from, posting.amount)
  requireFunds(lock, from, posting.amount)
  if (from !== 'external') lock[from] -= posting.amount
  if (to !== 'external') lock[to] += posting.amount
  lock.posting_sequence += 1
  return {
    account_id: lock.account_id,
    sequence: lock.posting_sequence,
    transaction_id: posting.transaction_id,
    movement: posting.movement,
    amount: posting.amount,
    available_after: lock.available,
    at: posting.at,
  }
}

// Checked when money arrives, over the sum of all buckets, so that settling it later cannot fail.
function requireRoom(lock: AccountLock, from: Bucket, amount: number): void {
  if (from !== 'external') return
  if (lock.incoming + lock.available + lock.held + amount <= balance_max) return
  throw new Refusal(
    'invalid_request',
    `"amount" would raise the account's balance above the maximum of ${balance_max}; ` +
      `got ${amount}. Send a smaller amount.`,
  )
}

function requireFunds(lock: AccountLock, from: Bucket, amount: number): void {
  if (from === 'external' || lock[from] >= amount) return
  if (from !== 'available') throw new Error(`the ${from} balance is lower than its postings`)
  throw new Refusal(
    'insufficient_funds',
    `"amount" must be at most ${lock.available}, the available balance; got ${amount}. ` +
      'Wait for pending payments to settle, or refund less.',
  )
}
