// One visit of a payer to a provider's page, as a row.

import type { ProviderName } from '../processors/provider.ts'

export interface CheckoutRow {
  account_id: string
  id: string
  payment_id: string
  provider: ProviderName
  /** Null until the provider has created it. */
  provider_id: string | null
  state: 'creating' | 'open' | 'processing' | 'paid' | 'failed' | 'ended'
  url: string | null
  expires_at: Date | null
  /** When the worker fetches its state next; null once nothing can change anymore. */
  check_at: Date | null
  checks: number
  /** The request has ended without this checkout, so the provider must end it too. */
  is_ending: boolean
}
