// A dispute of a charge by the cardholder, as a row and as JSON.

import { findUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import type { ProviderName } from '../processors/provider.ts'

export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost'] as const

export type DisputeStatus = (typeof disputeStatuses)[number]

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

/** Whether the bank of the cardholder has yet to decide. */
export function isOpen({ status }: Pick<DisputeRow, 'status'>): boolean {
  return status === 'needs_response' || status === 'under_review'
}

export interface Dispute {
  id: string
  account_id: string
  transaction_id: string
  amount: number
  currency: string
  reason: string
  status: DisputeStatus
  provider: DisputeRow['provider']
  provider_dispute_id: string
  evidence_url: string | null
  due_at: string | null
  created_at: string
  updated_at: string
}

export function presentDispute(row: DisputeRow): Dispute {
  return {
    id: toTypeId('dispute', row.id),
    account_id: toTypeId('account', row.account_id),
    transaction_id: toTypeId('transaction', row.transaction_id),
    amount: row.amount,
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    provider: row.provider,
    provider_dispute_id: row.provider_dispute_id,
    evidence_url: evidenceUrl(row),
    due_at: row.due_at && toIso(row.due_at),
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

/** Where the account owner or the operator submits evidence; null if the provider takes none. */
function evidenceUrl({ provider, provider_dispute_id }: DisputeRow): string | null {
  if (provider !== 'stripe') return null
  return `https://dashboard.stripe.com/disputes/${encodeURIComponent(provider_dispute_id)}`
}

/** The UUID in a dispute id. Malformed ids are reported as unknown. */
export function readDisputeId(text: string): string {
  const id = findUuid('dispute', text)
  if (id === undefined) throw unknownDispute()
  return id
}

export function unknownDispute(): Refusal {
  return new Refusal('not_found', 'No dispute with this id exists.')
}
