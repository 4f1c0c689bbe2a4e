import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { sql } from '../postgres/sql.ts'
import type { ProviderName } from '../processors/provider.ts'

interface ChargeMovement {
  account_id: string
  /** The payment, or the refund. */
  transaction_id: string
  provider: ProviderName
  kind: 'charge' | 'refund'
  /** The id of the charge or refund at the provider. */
  source_id: string
  /** Negative for refunds. */
  amount: number
  fee: number | null
  /** The provider has not completed it. */
  is_open: boolean
}

/** The charges at these providers, and their refunds that did not fail. */
export async function selectChargeMovements(
  db: Queryable,
  range: AccountRange,
  providers: readonly ProviderName[],
): Promise<ChargeMovement[]> {
  return db.rows(sql`
    select account_id, transaction_id, provider, 'charge' as kind, charge_id as source_id, amount,
      fee, false as is_open
    from charges
    where account_id > ${range.after} and account_id <= ${range.through}
      and provider = any(${[...providers]}::text[])
    union all
    select refunds.account_id, refunds.id, provider, 'refund', provider_refund_id, -amount, 0,
      state <> 'succeeded'
    from provider_refunds as refunds
    join transactions
      on transactions.account_id = refunds.account_id and transactions.id = refunds.id
    where refunds.account_id > ${range.after} and refunds.account_id <= ${range.through}
      and provider = any(${[...providers]}::text[])
      and provider_refund_id is not null and state <> 'failed'`)
}

/** A refund by transfer that the bank has executed or returned. */
interface TransferResult {
  account_id: string
  /** The id that the payment file has, with its prefix. */
  exported_id: string
  /** Of the transaction that records it: another one if the refund had ended before. */
  state: 'succeeded' | 'failed'
}

export async function selectTransferResults(
  db: Queryable,
  range: AccountRange,
): Promise<TransferResult[]> {
  return db.rows(sql`
    select account_id, provider_refund_id as exported_id, state
    from provider_refunds
    where account_id > ${range.after} and account_id <= ${range.through}
      and provider = 'bank_transfer' and provider_refund_id is not null
      and state in ('succeeded', 'failed')`)
}
