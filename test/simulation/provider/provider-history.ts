// The part of a history that concerns the payment provider: what payers did, which messages were
// delivered, what the provider holds at the end, and what Florin recorded about it.

/** One request of a payer to the payment page. */
export interface Visit {
  kind: 'visit'
  /** `begin`: the form that leads to the provider. `return`: back from the provider. */
  operation: 'begin' | 'return'
  /** The payment request. */
  request: string
  sent_ms: number
  done_ms: number
  /** Null if there was no response. */
  status: number | null
  /** The provider's checkout that the payer was sent to. */
  session: string | null
}

/** One delivery of a message from the provider to Florin. */
export interface Notice {
  kind: 'notice'
  event: string
  type: string
  /** Signed with another secret, with a body that is not true. */
  is_forged: boolean
  sent_ms: number
  /** Null if there was no response, or if the message was dropped before it was sent. */
  status: number | null
  is_dropped: boolean
}

export interface ProviderCharge {
  id: string
  session: string
  /** The id of Florin's checkout, as the provider stored it. */
  checkout: string | null
  amount: number
  fee: number
}

export interface ProviderRefundState {
  id: string
  charge: string
  amount: number
  status: string
  /** Florin's refund transaction; null for a refund made in the dashboard. */
  transaction: string | null
}

interface ProviderDisputeState {
  id: string
  charge: string
  amount: number
  status: string
}

/** What the provider holds at the end of a run. */
export interface ProviderState {
  kind: 'provider'
  /** The policy that Florin was started with. */
  late_payments: 'refund' | 'keep'
  /** Checkouts by the id at the provider. */
  sessions: { id: string; checkout: string | null; status: string }[]
  charges: ProviderCharge[]
  refunds: ProviderRefundState[]
  disputes: ProviderDisputeState[]
  /** Keys whose stored response is a 500. Until they expire, the outcome stays unknown. */
  frozen_keys: string[]
}

export interface RecordedCharge {
  account: string
  transaction: string
  charge: string
  checkout: string | null
  amount: number
  fee: number | null
}

export interface RecordedRefund {
  account: string
  /** The refund transaction, and the payment that it refunds. */
  transaction: string
  payment: string
  /** The id at the provider; null until the provider has created it. */
  refund: string | null
  state: string
  /** The credit that returned the money after the refund failed late. */
  credit: string | null
}

/** What Florin recorded about the provider, without the sandbox. */
export interface RecordedMoney {
  checkouts: {
    account: string
    id: string
    payment: string
    session: string | null
    state: string
  }[]
  charges: RecordedCharge[]
  refunds: RecordedRefund[]
  disputes: { account: string; payment: string; dispute: string; amount: number; status: string }[]
  inbox: { event: string; session: string; state: string }[]
}
