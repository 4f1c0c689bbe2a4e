// The command about money that arrived by bank transfer. The matching of bank entries creates it.

import type { RowKey } from '../lanes/row-set.ts'
import type { LatePolicy } from './checkout-commands.ts'

export const transfer_provider = 'bank_transfer'

/** `id` is the payment request. */
export interface TransferCommand extends RowKey {
  kind: 'transfer'
  /** The id of the bank entry. */
  charge_id: string
  amount: number
  currency: string
  /** `exact`: only if the request is open and has this amount. `any`: a person has decided. */
  accepts: 'exact' | 'any'
  /** What happens to money that does not pay the request. */
  late: LatePolicy
}

/** The transfer does not pay the request exactly, or not in its currency. Nothing is recorded. */
export class TransferMismatch extends Error {
  override name = 'TransferMismatch'
}

/** The charge id of what an entry had beyond the amount of its request. */
export function surplusOf(charge_id: string): string {
  return `${charge_id}${surplus}`
}

/** The id of the bank entry of a charge. */
export function entryIdOf(charge_id: string): string {
  return charge_id.endsWith(surplus) ? charge_id.slice(0, -surplus.length) : charge_id
}

const surplus = '_surplus'
