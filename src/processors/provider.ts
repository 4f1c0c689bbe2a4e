// The port to a payment provider such as Stripe or Mollie. The payer pays on the provider's page,
// so card numbers never reach Florin. The state of a payment is one snapshot, fetched from the
// provider; webhooks only name the object to fetch.

export type ProviderName = 'stripe' | 'mollie'

/** One visit of a payer to the provider's page. */
export interface Checkout {
  /** `acct_…` and `chk_…`: the provider stores both. The second is the idempotency key. */
  account_id: string
  id: string
  amount: number
  currency: string
  /** Shown on the provider's page and on the payer's bank statement where possible. */
  description: string
  payer_email: string | null
  language: string
  success_url: string
  cancel_url: string
  /** The base URL of this server, for providers that get a webhook URL per payment. */
  public_url: string
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
  /** The ids as the provider stored them; null for a payment that Florin did not create. */
  checkout: CheckoutIds | null
  state: SnapshotState
  is_live: boolean
  amount: number
  currency: string
  charge: Charge | null
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
}

/** `acct_…` and `chk_…`. Not validated: a person can change them in the provider's dashboard. */
export interface CheckoutIds {
  account_id: string
  checkout_id: string
}

export interface Charge {
  id: string
  amount: number
  /** In the currency of the charge. Null until the provider has determined it. */
  fee: number | null
  /** Null for other payment methods. */
  card: CardSummary | null
}

/** The card details that may be stored and shown. */
export interface CardSummary {
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown'
  last4: string
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

interface RefundRequest {
  /** `txn_…`: the idempotency key, and the reference that the provider stores. */
  transaction_id: string
  /** The checkout that was paid. */
  provider_id: string
  charge_id: string
  amount: number
  currency: string
}

/** A message that the state of a payment changed. */
export interface Notice {
  /** Unique per change. If the provider has no event ids, `provider_id`. */
  event_id: string
  /** The object to fetch: a checkout, or a payment that belongs to one. */
  provider_id: string
}

export interface AmountLimits {
  min: number
  max: number
  /** Amounts must be a multiple of this. */
  step: number
}

/**
 * A change of the operator's balance at the provider. `settlement`: money moves between the balance
 * and the operator's bank account.
 */
export interface BalanceEntry {
  id: string
  kind: 'charge' | 'refund' | 'dispute' | 'settlement' | 'other'
  /** The charge, refund, dispute or settlement. Null if the provider names none. */
  source_id: string | null
  /** The charge that a refund or dispute belongs to. */
  charge_id: string | null
  /** `acct_…` as the provider stored it with a charge. Not validated. */
  account_id: string | null
  /** Negative if it reduces the balance. The fee is subtracted from it. */
  amount: number
  fee: number
  currency: string
  /** The same in the currency of the charge: some are converted before they reach the balance. */
  charged: { amount: number; fee: number; currency: string }
  at: Date
}

/** A transfer from the operator's balance at the provider to the operator's bank account. */
export interface ProviderSettlement {
  id: string
  /** Negative if the provider debits the bank account. */
  amount: number
  currency: string
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  /**
   * Whether the provider lists the entries of the settlement: all of them, not all of them yet, or
   * none, because a person chose the amount.
   */
  grouping: 'complete' | 'in_progress' | 'none'
  created_at: Date
  arrives_at: Date
  /** What names this settlement on the bank statement, as far as the provider knows it. */
  references: string[]
}

/**
 * Providers that list an entry only with the settlement that pays it out. What is left at such a
 * provider is unknown.
 */
export const settledOnly: ReadonlySet<ProviderName> = new Set(['mollie'])

export interface BalancePage<Row> {
  rows: Row[]
  /** Where the next page starts; undefined on the last page. */
  next: string | undefined
}

/**
 * Both list the newest first. `since` may return some older rows. A settlement whose grouping is
 * in progress may have no entries yet.
 */
export interface ProviderBalance {
  listEntries(
    filter: { since: Date } | { settlement_id: string },
    cursor: string | undefined,
  ): Promise<BalancePage<BalanceEntry>>
  listSettlements(
    filter: { since: Date },
    cursor: string | undefined,
  ): Promise<BalancePage<ProviderSettlement>>
}

export interface Provider {
  readonly name: ProviderName
  /** Whether the configured key moves real money. */
  readonly is_live: boolean
  /** How long the provider remembers an id: later the same call would act again. */
  readonly key_lives_ms: number
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
  /** Changes since the cursor, oldest first. Without a cursor: none, and the newest cursor. */
  listChanges(cursor: string | undefined): Promise<{ notices: Notice[]; cursor: string }>
  /** The operator's balance. Undefined if no configured key or token can read it. */
  readonly balance?: ProviderBalance
  /** Makes one harmless call: whether the key is valid, and the provider's clock. */
  check(): Promise<{ at: Date }>
}

export interface WebhookMessage {
  /** The rest of the path after `/v1/processors/{name}/webhook/`; empty without it. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** The exact bytes: the signature covers them. */
  body: Buffer
}

/**
 * A failed call. `is_final`: the provider rejected the request and nothing happened. Otherwise the
 * outcome is unknown until the same call with the same id, or a snapshot, shows it.
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
