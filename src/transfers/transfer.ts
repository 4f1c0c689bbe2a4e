// A transfer between accounts, as a row of one of its accounts and as JSON.

import { findUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'

/** Which account a row belongs to: the source, the target, or the account that gets the fee. */
export type TransferSide = 'out' | 'in' | 'fee'

export const transferStatuses = ['in_transit', 'completed', 'returned'] as const

/** Why a receiving account does not get the money. */
export const rejectionReasons = [
  'account_closed',
  'account_not_active',
  'currency_changed',
  'balance_limit',
] as const

export type RejectionReason = (typeof rejectionReasons)[number]

export interface TransferRow {
  account_id: string
  id: string
  side: TransferSide
  from_account_id: string
  to_account_id: string
  amount: number
  /** The part of `amount` that `fee_account_id` gets. */
  fee_amount: number
  fee_account_id: string | null
  currency: string
  reference: string | null
  /** A receipt is completed or rejected from the start; rejected ones are not shown. */
  status: (typeof transferStatuses)[number] | 'rejected'
  returned_amount: number
  reason: RejectionReason | null
  updated_at: Date
}

/** What the account of a receipt gets. */
export function receivedAmount({ side, amount, fee_amount }: TransferRow): number {
  return side === 'fee' ? fee_amount : amount - fee_amount
}

export const directions = ['outgoing', 'incoming', 'fee'] as const

const directionOf = { out: 'outgoing', in: 'incoming', fee: 'fee' } as const

export interface Transfer {
  id: string
  account_id: string
  direction: (typeof directions)[number]
  from_account_id: string
  to_account_id: string
  amount: number
  fee_amount: number
  fee_account_id: string | null
  currency: string
  reference: string | null
  status: (typeof transferStatuses)[number]
  returned_amount: number
  return_reason: RejectionReason | null
  created_at: string
  updated_at: string
}

export function presentTransfer(row: TransferRow): Transfer {
  if (row.status === 'rejected') throw new Error('a rejected receipt is not shown')
  return {
    id: toTypeId('transfer', row.id),
    account_id: toTypeId('account', row.account_id),
    direction: directionOf[row.side],
    from_account_id: toTypeId('account', row.from_account_id),
    to_account_id: toTypeId('account', row.to_account_id),
    amount: row.amount,
    fee_amount: row.fee_amount,
    fee_account_id: row.fee_account_id && toTypeId('account', row.fee_account_id),
    currency: row.currency,
    reference: row.reference,
    status: row.status,
    returned_amount: row.returned_amount,
    return_reason: row.reason,
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

/** The UUID in a transfer id. Malformed ids are reported as unknown. */
export function readTransferId(text: string): string {
  const id = findUuid('transfer', text)
  if (id === undefined) throw unknownTransfer()
  return id
}

export function unknownTransfer(): Refusal {
  return new Refusal('not_found', 'No transfer with this id exists.')
}
