// One visit of a payer to a provider's page, as a row, and when the worker fetches its state.

import { timeOfUuid } from '../primitives/ids.ts'
import type { ProviderName, SnapshotState } from '../processors/provider.ts'

export interface CheckoutRow {
  account_id: string
  id: string
  payment_id: string
  provider: ProviderName
  /** Null until the provider has created it. */
  provider_id: string | null
  state: 'creating' | SnapshotState
  url: string | null
  /** A repeated call to the provider must have the same parameters, so the language is stored. */
  language: string
  expires_at: Date | null
  /** When the worker fetches its state next; null once nothing can change anymore. */
  check_at: Date | null
  checks: number
  /** The request has ended without this checkout, so the provider must end it too. */
  is_ending: boolean
}

/** Whether the payer can still pay here, or has paid and the money is on its way. */
export function isUsable({ state, is_ending }: CheckoutRow): boolean {
  return !isFinal(state) && !is_ending
}

export function isFinal(state: CheckoutRow['state']): boolean {
  return state === 'paid' || state === 'failed' || state === 'ended'
}

const minute_ms = 60_000
const hour_ms = 60 * minute_ms
const day_ms = 24 * hour_ms

// Stripe ends a checkout after at most 24 hours. The time is derived from the id, so that a
// repeated call has the same parameters.
const lifetime_ms = 23 * hour_ms

export function expiryOf({ id }: Pick<CheckoutRow, 'id'>): Date {
  return new Date(timeOfUuid(id).getTime() + lifetime_ms)
}

// Long after every call to the provider has ended. Until then a visit repeats it.
const creating_max_ms = hour_ms

/** When a checkout that the provider has not confirmed ends: no payer has its URL. */
export function abandonedAt({ id }: Pick<CheckoutRow, 'id'>): Date {
  return new Date(timeOfUuid(id).getTime() + creating_max_ms)
}

/** The waits before the first checks. A missed webhook delays a payment by a minute. */
const check_waits_ms = [minute_ms, 5 * minute_ms, 30 * minute_ms]

// Hourly for 40 days: longer than a bank takes to reject a debit.
const checks_max = 40 * 24

const fee_checks_max = 2

/** When to fetch the state of a checkout after `checks` checks, or null. */
export function nextCheck(
  row: Pick<CheckoutRow, 'state' | 'checks' | 'expires_at' | 'is_ending'>,
  now: Date,
  has_fee: boolean,
): Date | null {
  const at = now.getTime()
  if (row.state === 'paid') {
    return has_fee || row.checks >= fee_checks_max ? null : new Date(at + day_ms)
  }
  if (isFinal(row.state) || row.checks > checks_max) return null
  const wait_ms = row.is_ending ? hour_ms : check_waits_ms[row.checks]
  if (wait_ms !== undefined) return new Date(at + wait_ms)
  const { expires_at } = row
  return expires_at !== null && expires_at > now ? expires_at : new Date(at + hour_ms)
}
