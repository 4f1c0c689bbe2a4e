// Applies the provider's disputes of a charge. The provider has already withdrawn or returned the
// money, so nothing is rejected: not if the dispute exceeds the payment, and not if the account is
// short of funds, suspended or closed.

import type { AccountLock } from '../ledger/lock-row.ts'
import { post, postCovered } from '../ledger/post.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import type { ProviderDispute } from '../processors/provider.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { type DisputeRow, isOpen } from './dispute.ts'
import type { DisputeSet } from './dispute-set.ts'
import { disputeClosedEmail, disputeOpenedEmail } from './emails.ts'

/** The disputes of the charge must be loaded. Applying the same disputes again changes nothing. */
export function applyDisputes(
  set: DisputeSet,
  lock: AccountLock,
  charge: ChargeRow,
  disputes: ProviderDispute[],
): void {
  for (const dispute of disputes) {
    const known = set.of(charge).find((row) => row.provider_dispute_id === dispute.id)
    if (known === undefined) open(set, lock, charge, dispute)
    else update(set, lock, charge, known, dispute)
  }
}

function open(
  set: DisputeSet,
  lock: AccountLock,
  charge: ChargeRow,
  dispute: ProviderDispute,
): void {
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const { transaction_id } = charge
  const { amount, reason, status, due_at } = dispute
  const posting = { transaction_id, movement: 'withdraw', amount, at } as const
  set.locked.postings.push(...postCovered(lock, posting))
  const row: DisputeRow = {
    account_id: charge.account_id,
    id,
    transaction_id,
    // A bank transfer cannot be disputed.
    provider: charge.provider as DisputeRow['provider'],
    provider_dispute_id: dispute.id,
    amount,
    currency: lock.currency,
    reason,
    status,
    due_at,
    updated_at: at,
  }
  set.insert(lock, row)
  set.transactions.changeCharge(charge, { is_disputed: true })
  notify(set, lock, row, 'dispute.created')
  if (!isOpen(row)) close(set, lock, charge, row)
}

function update(
  set: DisputeSet,
  lock: AccountLock,
  charge: ChargeRow,
  row: DisputeRow,
  { status, due_at }: ProviderDispute,
): void {
  // A snapshot may be applied after a newer one, so a final status never becomes an open one. Only
  // a lost dispute can change once more: the bank may still decide for the account.
  const is_late_win = row.status === 'lost' && status === 'won'
  if (!isOpen(row) && !is_late_win) return
  if (row.status === status && row.due_at?.getTime() === due_at?.getTime()) return
  set.change(lock, row, { status, due_at, updated_at: set.locked.timeOf(lock) })
  if (isOpen(row)) notify(set, lock, row, 'dispute.updated')
  else close(set, lock, charge, row)
}

/** A won dispute returns its amount. For a lost one, the money is already gone. */
function close(set: DisputeSet, lock: AccountLock, charge: ChargeRow, row: DisputeRow): void {
  if (row.status === 'won') {
    const { transaction_id, amount, updated_at: at } = row
    const posting = { transaction_id, movement: 'reinstate', amount, at } as const
    set.locked.postings.push(...post(lock, posting))
    const is_disputed = set.of(charge).some(({ status }) => status !== 'won')
    set.transactions.changeCharge(charge, { is_disputed })
  }
  notify(set, lock, row, row.status === 'won' ? 'dispute.won' : 'dispute.lost')
}

/** A closed account gets no events: account.closed is its last one. It has no owner to email. */
function notify(
  set: DisputeSet,
  lock: AccountLock,
  row: DisputeRow,
  type: 'dispute.created' | 'dispute.updated' | 'dispute.won' | 'dispute.lost',
): void {
  if (lock.status === 'closed') return
  set.addEvent(lock, type, row)
  if (type === 'dispute.created') set.emails.push(disputeOpenedEmail(set, row))
  else if (type !== 'dispute.updated') set.emails.push(disputeClosedEmail(set, row))
}
