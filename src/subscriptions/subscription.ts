// A subscription as a row and as JSON. The JSON text is rendered once and used for the response,
// the event and the stored response of the Idempotency-Key, so all copies are identical.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import type { Interval } from '../primitives/period.ts'
import { toIso } from '../primitives/time.ts'

export type SubscriptionStatus = 'active' | 'paused' | 'canceled'

export interface SubscriptionRow {
  account_id: string
  id: string
  status: SubscriptionStatus
  customer_email: string
  amount: number
  currency: string
  interval: Interval
  interval_count: number
  /** The number of the next period; the first is 0. It only grows. */
  next_period: number
  /** When the next period begins; null unless active. */
  next_at: Date | null
  /** The last change through the API. A new period does not count as a change. */
  updated_at: Date
  reference: string | null
  /** JSON text; null is {}. */
  metadata: string | null
}

/** A period with its payment request. */
export interface PeriodRow {
  account_id: string
  subscription_id: string
  period: number
  starts_at: Date
  payment_id: string
}

export function subscriptionJson(row: SubscriptionRow): string {
  const reference = row.reference === null ? 'null' : JSON.stringify(row.reference)
  const next_at = row.next_at === null ? 'null' : `"${toIso(row.next_at)}"`
  return (
    `{"id":"${toTypeId('subscription', row.id)}"` +
    `,"account_id":"${toTypeId('account', row.account_id)}"` +
    `,"customer_email":${JSON.stringify(row.customer_email)}` +
    `,"amount":${row.amount},"currency":"${row.currency}"` +
    `,"interval":"${row.interval}","interval_count":${row.interval_count}` +
    `,"status":"${row.status}","reference":${reference},"metadata":${row.metadata ?? '{}'}` +
    `,"next_at":${next_at},"created_at":"${toIso(timeOfUuid(row.id))}"` +
    `,"updated_at":"${toIso(row.updated_at)}"}`
  )
}
