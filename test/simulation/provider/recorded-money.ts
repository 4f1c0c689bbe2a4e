// Reads what Florin recorded about the payment provider, at the end of a run.

import { toTypeId } from '../../../src/primitives/ids.ts'
import type { RecordedMoney } from './provider-history.ts'

type DatabaseRow = Record<string, string | null>

export async function readRecordedMoney(
  query: (text: string) => Promise<DatabaseRow[]>,
): Promise<RecordedMoney> {
  const checkouts = await query(`select * from checkouts`)
  const charges = await query(`select * from charges where provider <> 'sandbox'`)
  const refunds = await query(`select * from provider_refunds`)
  const disputes = await query(`select * from disputes where provider <> 'sandbox'`)
  const inbox = await query(`select event_id, provider_id, state from provider_events`)
  return {
    checkouts: checkouts.map((row) => ({
      account: toTypeId('account', row.account_id!),
      id: toTypeId('checkout', row.id!),
      payment: toTypeId('payment', row.payment_id!),
      session: row.provider_id!,
      state: row.state!,
    })),
    charges: charges.map((row) => ({
      account: toTypeId('account', row.account_id!),
      transaction: toTypeId('transaction', row.transaction_id!),
      charge: row.charge_id!,
      checkout: row.checkout_id ? toTypeId('checkout', row.checkout_id) : null,
      amount: Number(row.amount),
      fee: row.fee === null ? null : Number(row.fee),
    })),
    refunds: refunds.map((row) => ({
      account: toTypeId('account', row.account_id!),
      transaction: toTypeId('transaction', row.id!),
      payment: toTypeId('transaction', row.payment_id!),
      refund: row.provider_refund_id!,
      state: row.state!,
      credit: row.credit_id ? toTypeId('transaction', row.credit_id) : null,
    })),
    disputes: disputes.map((row) => ({
      account: toTypeId('account', row.account_id!),
      payment: toTypeId('transaction', row.transaction_id!),
      dispute: row.provider_dispute_id!,
      amount: Number(row.amount),
      status: row.status!,
    })),
    inbox: inbox.map((row) => ({
      event: row.event_id!,
      session: row.provider_id!,
      state: row.state!,
    })),
  }
}
