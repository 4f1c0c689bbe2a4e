// A payout to the bank account of an account's owner, as a row and as JSON.

import type { LockedAccounts } from '../lanes/locked-accounts.ts'
import { RowSet } from '../lanes/row-set.ts'
import { findUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'

export const payoutStatuses = [
  'pending_approval',
  'approved',
  'in_transit',
  'paid',
  'failed',
  'canceled',
  'returned',
] as const

export type PayoutStatus = (typeof payoutStatuses)[number]

export interface Destination {
  /** Of the account holder. */
  name: string
  iban: string
  bic: string | null
}

export interface PayoutRow extends Destination {
  account_id: string
  id: string
  amount: number
  currency: string
  status: PayoutStatus
  reference: string | null
  created_by: string
  /** Null if another person had approved a payout to the destination before. */
  destination_set_by: string | null
  /** Null if no approval was needed. */
  approved_by: string | null
  export_id: string | null
  /** Why the bank did not execute it, or returned it. */
  reason: string | null
  /** The bank entries that show its debit and its return; null until a statement has. */
  paid_entry_id: string | null
  returned_entry_id: string | null
  updated_at: Date
}

export interface SettingsRow {
  account_id: string
  name: string | null
  iban: string | null
  bic: string | null
  destination_set_by: string | null
  /** False until an approver has approved a payout to this destination. */
  is_confirmed: boolean
  /** Null for the limit of the mode. */
  approval_limit: number | null
  updated_at: Date | null
}

export interface Payout {
  id: string
  account_id: string
  amount: number
  currency: string
  status: PayoutStatus
  destination: Destination
  reference: string | null
  reason: string | null
  created_by: string
  approved_by: string | null
  export_id: string | null
  created_at: string
  updated_at: string
}

export function presentPayout(row: PayoutRow): Payout {
  const { name, iban, bic } = row
  return {
    id: toTypeId('payout', row.id),
    account_id: toTypeId('account', row.account_id),
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    destination: { name, iban, bic },
    reference: row.reference,
    reason: row.reason,
    created_by: toTypeId('user', row.created_by),
    approved_by: row.approved_by && toTypeId('user', row.approved_by),
    export_id: row.export_id && toTypeId('payout_export', row.export_id),
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

/** The payouts of a change, on top of the locked accounts. */
export function payoutSet(locked: LockedAccounts, rows: PayoutRow[]): RowSet<PayoutRow> {
  const jsonOf = (row: PayoutRow) => JSON.stringify(presentPayout(row))
  return new RowSet(locked, rows, { jsonOf, unknown: unknownPayout })
}

/** The UUID in a payout id. Malformed ids are reported as unknown. */
export function readPayoutId(text: string): string {
  const id = findUuid('payout', text)
  if (id === undefined) throw unknownPayout()
  return id
}

export function unknownPayout(): Refusal {
  return new Refusal('not_found', 'No payout with this id exists.')
}
