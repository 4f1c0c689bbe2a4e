// GET /v1/transactions/{id}/charge: the charge that paid a transaction, and late payments.

import type { Caller } from '../identity/caller.ts'
import { rowKey } from '../lanes/row-set.ts'
import type { Queryable } from '../postgres/database.ts'
import { firstUuidAt, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { ChargeRow } from './charge.ts'
import { selectCharges, selectLatePayments } from './charge-queries.ts'
import { type FindTransaction, getTransaction } from './find-transaction.ts'
import { findRefundTotals } from './list-refunds.ts'

interface Charge {
  object: 'charge'
  transaction_id: string
  provider: ChargeRow['provider']
  charge_id: string
  amount: number
  currency: string
  fee: number | null
  net: number | null
  refunded_amount: number
  disputed: boolean
  card: { brand: string; last4: string } | null
  checkout_id: string | null
}

/** Throws not_found unless the transaction is visible to the caller and a charge paid it. */
export async function getCharge(
  db: Queryable,
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
): Promise<Charge> {
  const { account_id, id, currency } = await getTransaction(find, caller, transaction_id)
  const payment = { account_id, id }
  const [[charge], totals] = await Promise.all([
    selectCharges(db, [payment]),
    findRefundTotals(db, [payment]),
  ])
  if (charge === undefined) throw noCharge()
  const refunded_amount = totals.get(rowKey(account_id, id))?.amount ?? 0
  return { ...presentCharge(charge), currency, refunded_amount }
}

function presentCharge(charge: ChargeRow): Omit<Charge, 'currency' | 'refunded_amount'> {
  const { provider, charge_id, amount, fee, checkout_id, card_brand, card_last4 } = charge
  return {
    object: 'charge',
    transaction_id: toTypeId('transaction', charge.transaction_id),
    provider,
    charge_id,
    amount,
    fee,
    net: fee === null ? null : amount - fee,
    disputed: charge.is_disputed,
    card: card_brand === null ? null : { brand: card_brand, last4: card_last4 ?? '' },
    checkout_id: checkout_id === null ? null : toTypeId('checkout', checkout_id),
  }
}

/** The ids of payments since then that did not pay their request, newest first. */
export async function findLatePaymentIds(
  db: Queryable,
  account_id: string,
  since_ms: number,
  limit: number,
): Promise<string[]> {
  const rows = await selectLatePayments(db, account_id, firstUuidAt(since_ms), limit)
  return rows.map(({ transaction_id }) => toTypeId('transaction', transaction_id))
}

function noCharge(): Refusal {
  return new Refusal(
    'not_found',
    'No charge paid this transaction. Only payments by card, or through a payment provider, ' +
      'have one.',
  )
}
