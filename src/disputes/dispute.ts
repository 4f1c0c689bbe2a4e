// A dispute of a charge by the cardholder, as a row and as JSON.

import type { ProviderName } from '../processors/provider.ts'

export type DisputeStatus = 'needs_response' | 'under_review' | 'won' | 'lost'

export interface DisputeRow {
  account_id: string
  id: string
  /** The payment. */
  transaction_id: string
  provider: ProviderName | 'sandbox'
  provider_dispute_id: string
  /** May exceed the payment. */
  amount: number
  currency: string
  reason: string
  status: DisputeStatus
  due_at: Date | null
  updated_at: Date
}
