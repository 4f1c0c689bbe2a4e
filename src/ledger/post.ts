// Decides the postings of one movement. Pure except that it updates the given lock, the in-memory
// copy of the account's balance row. A rejected movement leaves the lock unchanged.

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

interface NewPosting {
  transaction_id: string
  movement: Movement
  amount: number
  at: Date
}

/** Money that becomes available repays what the account owes first. */
export function post(lock: AccountLock, posting: NewPosting): Posting[] {
  const moved = move(lock, posting)
  if (lock.owed === 0 || lock.available === 0) return [moved]
  const amount = Math.min(lock.owed, lock.available)
  return [moved, move(lock, { ...posting, movement: 'repay', amount })]
}

/** For money that has already left: what `available` lacks becomes a debt. */
export function postCovered(lock: AccountLock, posting: NewPosting): Posting[] {
  const amount = posting.amount - lock.available
  if (amount <= 0) return post(lock, posting)
  const lent = move(lock, { ...posting, movement: 'overdraw', amount })
  return [lent, ...post(lock, posting)]
}

function move(lock: AccountLock, posting: NewPosting): Posting {
  const { from, to } = movements[posting.movement]
  requireRoom(lock, from, posting)
  requireFunds(lock, from, posting)
  addTo(lock, from, -posting.amount)
  addTo(lock, to, posting.amount)
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

/** The row stores a debt as a positive number. */
function addTo(lock: AccountLock, bucket: Bucket, amount: number): void {
  if (bucket === 'owed') lock.owed -= amount
  else if (bucket !== 'external') lock[bucket] += amount
}

/** Whether the account can get this amount without exceeding the largest balance. */
export function hasRoom({ incoming, available, held }: AccountLock, amount: number): boolean {
  return incoming + available + held + amount <= balance_max
}

// Checked when money arrives, over the sum of all buckets, so that settling it later cannot fail.
function requireRoom(lock: AccountLock, from: Bucket, { movement, amount }: NewPosting): void {
  if (from !== 'external' && from !== 'owed') return
  if (hasRoom(lock, amount)) return
  // A fact that cannot be rejected. The caller retries until there is room.
  if (movement !== 'arrive') throw new Error(`the balance has no room to ${movement} ${amount}`)
  throw new Refusal(
    'invalid_request',
    `"amount" would raise the account's balance above the maximum of ${balance_max}; ` +
      `got ${amount}. Send a smaller amount.`,
  )
}

function requireFunds(lock: AccountLock, from: Bucket, { movement, amount }: NewPosting): void {
  if (from === 'external' || from === 'owed' || lock[from] >= amount) return
  if (from !== 'available') throw new Error(`the ${from} balance is lower than its postings`)
  throw new Refusal(
    'insufficient_funds',
    `"amount" must be at most ${lock.available}, the available balance; got ${amount}. ` +
      `Wait for pending payments to settle, or ${movement === 'hold' ? 'refund' : 'send'} less.`,
  )
}
