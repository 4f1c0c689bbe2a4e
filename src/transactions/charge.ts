// The charge that paid a transaction, and the refunds that a provider pays out, as rows.

import { retrySchedule, withJitter } from '../outbox/retry-schedule.ts'
import type { ProviderName } from '../processors/provider.ts'

export interface ChargeRow {
  account_id: string
  transaction_id: string
  /** The bank, for a transfer: its refunds are exported in payment files. */
  provider: ProviderName | 'sandbox' | 'bank_transfer'
  charge_id: string
  /** The checkout, by our id and by the provider's; null in the sandbox and for transfers. */
  checkout_id: string | null
  provider_id: string | null
  amount: number
  /** Null until the provider has determined it. */
  fee: number | null
  /** A payment with a dispute that was not won cannot be refunded. */
  is_disputed: boolean
  /** It did not pay its request: the request had ended, or the amount differs. */
  is_late: boolean
  card_brand: string | null
  card_last4: string | null
}

export interface ProviderRefundRow {
  account_id: string
  /** The refund transaction. */
  id: string
  /** The payment that it refunds. */
  payment_id: string
  provider: ProviderName | 'bank_transfer'
  /** Null until the provider has created it. */
  provider_refund_id: string | null
  state: 'queued' | 'submitted' | 'succeeded' | 'failed'
  /** Set before the first call: from then on the refund cannot be canceled. */
  submitted_at: Date | null
  /** Null for a transfer: exports find those without an attempt. */
  next_at: Date | null
  attempts: number
  /** The credit that returned the money after a refund that had succeeded failed. */
  credit_id: string | null
}

// The first wait is longer than any call to a provider takes, because the time is stored before the
// call: another worker must not repeat it while it is in progress.
const schedule = retrySchedule('1m 5m 30m 2h')
const last_wait_ms = 6 * 3_600_000

/** When to ask the provider again after this many attempts. There is no last attempt. */
export function nextAttemptAt(at: Date, attempts: number): Date {
  const wait_ms = schedule.waitAfter(attempts) ?? withJitter(last_wait_ms)
  return new Date(at.getTime() + wait_ms)
}
