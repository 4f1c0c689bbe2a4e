// The port to a payment provider such as Stripe or Mollie. A provider collects a payment on a page
// of its own, so card numbers never reach Florin. Everything it says about a payment is one
// snapshot: webhooks only tell which payment to fetch again.

import type { CardSummary } from './processor.ts'

export type ProviderName = 'stripe' | 'mollie'

/** One visit of a payer to the provider's page. */
export interface Checkout {
  /** `chk_…`: the idempotency key, and the reference that the provider stores. */
  id: string
  amount: number
  currency: string
  /** Shown on the provider's page and on the payer's bank statement where possible. */
  description: string
  payer_email: string | null
  language: string
  success_url: string
  cancel_url: string
  /** Where the provider reports changes, for providers without account-wide webhooks. */
  webhook_url: string
  expires_at: Date
}

export interface OpenedCheckout {
  provider_id: string
  /** The provider's page. */
  url: string
  expires_at: Date
}

/**
 * - `open`: the payer can still pay
 * - `processing`: the payer has paid, and the provider does not have the money yet
 * - `failed`: this payment can no longer succeed
 * - `ended`: expired or canceled without a payment
 */
export type SnapshotState = 'open' | 'processing' | 'paid' | 'failed' | 'ended'

/** What the provider knows about a checkout now. Amounts are minor units of ISO 4217. */
export interface Snapshot {
  provider_id: string
  /** Our id as the provider stored it; null for a payment that Florin did not create. */
  checkout_id: string | null
  state: SnapshotState
  is_live: boolean
  amount: number
  currency: string
  charge: Charge | null
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
}

export interface Charge {
  id: string
  amount: number
  /** In the currency of the charge. Null until the provider has determined it. */
  fee: number | null
  /** Null for other payment methods. */
  card: CardSummary | null
}

export interface ProviderRefund {
  id: string
  /** Our refund transaction; null for a refund made in the provider's dashboard. */
  transaction_id: string | null
  amount: number
  state: 'pending' | 'succeeded' | 'failed'
}

export interface ProviderDispute {
  id: string
  amount: number
  reason: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
  due_at: Date | null
}

export interface RefundRequest {
  /** `txn_…`: the idempotency key, and the reference that the provider stores. */
  transaction_id: string
  /** The checkout that was paid. */
  provider_id: string
  charge_id: string
  amount: number
  currency: string
}

/** A message that some checkout changed. `event_id` is null if the provider has no event ids. */
export interface Notice {
  event_id: string | null
  provider_id: string
}

export interface AmountLimits {
  min: number
  max: number
  /** Amounts must be a multiple of this. */
  step: number
}

export interface Provider {
  readonly name: ProviderName
  /** Whether the configured key moves real money. */
  readonly is_live: boolean
  /** Undefined if the provider does not support the currency. */
  limits(currency: string): AmountLimits | undefined
  /** Repeating it with the same id returns the same checkout. */
  createCheckout(checkout: Checkout): Promise<OpenedCheckout>
  fetchSnapshot(provider_id: string): Promise<Snapshot | undefined>
  /** Ends a checkout. A checkout that was already paid is a result, not an error. */
  expireCheckout(provider_id: string): Promise<Snapshot>
  /** Repeating it with the same transaction id refunds once. */
  refund(request: RefundRequest): Promise<ProviderRefund>
  /** Undefined if the message was not sent by the provider. Null if it concerns no checkout. */
  readWebhook(message: WebhookMessage): Promise<Notice | null | undefined>
  /** Changed checkouts, oldest first, with the cursor to continue from. */
  listChanges(cursor: string | undefined): Promise<{ provider_ids: string[]; cursor: string }>
  /** Makes one harmless call: whether the key is valid, and the provider's clock. */
  check(): Promise<{ at: Date }>
}

export interface WebhookMessage {
  headers: Record<string, string | string[] | undefined>
  /** The exact bytes: the signature covers them. */
  body: Buffer
}

/**
 * A failed call. `is_final`: the provider rejected the request and nothing happened. Otherwise the
 * outcome is unknown, and only the same call with the same id, or a snapshot, can tell.
 */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly is_final: boolean
  readonly code: string | undefined

  constructor(message: string, options: { is_final: boolean; code?: string; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.is_final = options.is_final
    this.code = options.code
  }
}
