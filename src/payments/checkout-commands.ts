// The commands about checkouts. The page and the worker create them, never the API.

import type { RowKey } from '../lanes/row-set.ts'
import type { OpenedCheckout, ProviderName, Snapshot } from '../processors/provider.ts'
import type { CheckoutRow } from './checkout.ts'

/** What happens to money for a request that has ended. */
export type LatePolicy = 'refund' | 'keep'

/** In each command `id` is the payment request. */
interface CheckoutKey extends RowKey {
  checkout_id: string
}

/** The payer wants to pay: chooses the checkout that can be used, or creates one. */
export interface BeginCommand extends CheckoutKey {
  kind: 'checkout'
  provider: ProviderName
  language: string
  /** In real time. A checkout that the provider ends before this is replaced. */
  needed_until: Date
}

export interface OpenedCommand extends CheckoutKey {
  kind: 'opened'
  opened: OpenedCheckout
}

/** Applies what the provider knows. */
export interface ApplyCommand extends CheckoutKey {
  kind: 'apply'
  provider: ProviderName
  snapshot: Snapshot
  late: LatePolicy
}

/** The provider has rejected the checkout or has no snapshot of it. */
export interface CheckedCommand extends CheckoutKey {
  kind: 'checked'
  /** Undefined: it is checked again later. */
  to: 'failed' | 'ended' | undefined
}

export type CheckoutCommand = BeginCommand | OpenedCommand | ApplyCommand | CheckedCommand

/** The key of a stored checkout, for its commands. */
export function checkoutKey({ account_id, payment_id, id }: CheckoutRow): CheckoutKey {
  return { account_id, id: payment_id, checkout_id: id }
}
