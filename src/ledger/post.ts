// One posting, decided. Pure but for the lock it is given: the working copy of the account's row,
// which it checks and then changes. Refused means unchanged.

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

// Judged when money arrives, over all buckets at once, so that settling it later can never fail.
function requireRoom(lock: AccountLock, from: Bucket, amount: number): void {
  if (from !== 'external') return
  if (lock.incoming + lock.available + lock.held + amount <= balance_max) return
  throw new Refusal(
    'invalid_request',
    `amount would take the account's balance past ${balance_max}, the most that is kept exactly.`,
  )
}

function requireFunds(lock: AccountLock, from: Bucket, amount: number): void {
  if (from === 'external' || lock[from] >= amount) return
  if (from !== 'available') throw new Error(`the books hold less ${from} than was put there`)
  throw new Refusal(
    'insufficient_funds',
    `The available balance is ${lock.available}, and ${amount} is needed. Wait for pending ` +
      'payments to settle, or refund less.',
  )
}
