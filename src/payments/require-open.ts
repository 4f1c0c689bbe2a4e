// When a payment request can be paid, and the errors if it cannot.

import type { AccountLock } from '../ledger/lock-row.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'

/** Pending and not expired, even if the worker has not canceled the expired request yet. */
export function requireOpen(set: PaymentSet, lock: AccountLock, row: PaymentRow): void {
  if (row.status !== 'pending') throw new Refusal('conflict', hasEnded(row))
  if (row.expires_at > set.locked.timeOf(lock)) return
  throw new Refusal('conflict', 'The payment request has expired. Create a new one.')
}

export function hasEnded(row: PaymentRow): string {
  const advice = row.status === 'succeeded' ? ' Create a refund instead.' : ''
  const end = row.status === 'canceled' ? 'been canceled' : row.status
  return `The payment request has ${end}.${advice}`
}

export function requireActive(lock: AccountLock, purpose: string): void {
  if (lock.status === 'active') return
  throw new Refusal(
    'invalid_request',
    `The account must be active ${purpose}; it is ${lock.status}.`,
  )
}
