// Charges and provider refunds that contradict their transactions.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { sql } from '../postgres/sql.ts'
import type { ProviderRefundRow } from './charge.ts'

export interface BrokenCharge {
  account_id: string
  transaction_id: string
  amount: number
  /** Null if the payment does not exist. */
  payment_amount: number | null
  payment_type: TransactionType | null
  payment_status: TransactionStatus | null
}

export async function selectBrokenCharges(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<BrokenCharge[]> {
  return db.rows(sql`
    select charges.account_id, transaction_id, charges.amount, payment.amount as payment_amount,
      payment.type as payment_type, payment.status as payment_status
    from charges
    left join transactions as payment
      on payment.account_id = charges.account_id and payment.id = transaction_id
    where charges.account_id > ${range.after} and charges.account_id <= ${range.through}
      and (payment.id is null
        or payment.amount <> charges.amount
        or payment.type <> 'payment'
        or payment.status <> 'succeeded')
    limit ${limit}`)
}

export async function selectFees(
  db: Queryable,
  range: AccountRange,
): Promise<{ account_id: string; fees: number }[]> {
  return db.rows(sql`
    select account_id, sum(fee)::bigint as fees
    from charges
    where account_id > ${range.after} and account_id <= ${range.through} and fee > 0
    group by account_id`)
}

export interface CheckedRefund {
  account_id: string
  id: string
  payment_id: string
  /** Null if a refund of a charge has no row for its provider. */
  state: ProviderRefundRow['state'] | null
  /** Null if the transaction does not exist. */
  status: TransactionStatus | null
  refund_of: string | null
  amount: number | null
  credit_id: string | null
  credited: number | null
}

/**
 * Refunds whose state at the provider is unusual for their status. Some are normal for accounts
 * that are closed, which this statement does not know.
 */
export async function selectUnusualRefunds(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<CheckedRefund[]> {
  return db.rows(sql`
    select refunds.account_id, refunds.id, payment_id, state, refund.status, refund.refund_of,
      refund.amount, credit_id, credit.amount as credited
    from provider_refunds as refunds
    left join transactions as refund
      on refund.account_id = refunds.account_id and refund.id = refunds.id
    left join transactions as credit
      on credit.account_id = refunds.account_id and credit.id = credit_id
      and credit.type = 'credit' and credit.status = 'succeeded'
    where refunds.account_id > ${range.after} and refunds.account_id <= ${range.through}
      and (refund.status is null
        or refund.refund_of is distinct from payment_id
        or (state in ('queued', 'submitted') and refund.status <> 'pending')
        or (state = 'succeeded' and refund.status <> 'succeeded')
        or (state = 'failed' and refund.status = 'pending')
        or (state = 'failed' and refund.status = 'succeeded') <> (credit_id is not null)
        or (credit_id is not null and credit.amount is distinct from refund.amount))
    limit ${limit}`)
}

/** Refunds of charges that have no row for their provider. */
export async function selectUnsentRefunds(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<CheckedRefund[]> {
  return db.rows(sql`
    select refund.account_id, refund.id, refund.refund_of as payment_id, null as state,
      refund.status, refund.refund_of, refund.amount, null as credit_id, null as credited
    from transactions as refund
    join charges
      on charges.account_id = refund.account_id and charges.transaction_id = refund.refund_of
    left join provider_refunds
      on provider_refunds.account_id = refund.account_id and provider_refunds.id = refund.id
    where refund.account_id > ${range.after} and refund.account_id <= ${range.through}
      and refund.type <> 'payment' and refund.refund_of is not null
      and charges.provider <> 'sandbox'
      and provider_refunds.id is null
    limit ${limit}`)
}
