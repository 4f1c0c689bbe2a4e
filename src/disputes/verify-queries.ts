import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint } from '../postgres/fingerprint.ts'
import { sql } from '../postgres/sql.ts'
import type { ProviderName } from '../processors/provider.ts'
import type { PaymentKey } from './queries.ts'

export interface DisputeFacts {
  account_id: string
  last_at: Date
  /** The minimum and the maximum. */
  currencies: [string, string]
  /** Of the postings that the disputes must have. */
  fingerprint: string
}

export async function selectDisputeFacts(
  db: Queryable,
  range: AccountRange,
): Promise<DisputeFacts[]> {
  const withdrawn = fingerprint(sql`transaction_id`, sql`'withdraw'`, sql`amount`)
  const reinstated = fingerprint(sql`transaction_id`, sql`'reinstate'`, sql`amount`)
  return db.rows(sql`
    select account_id, max(updated_at) as last_at,
      array[min(currency), max(currency)] as currencies,
      (sum(${withdrawn})
        + coalesce(sum(${reinstated}) filter (where status = 'won'), 0))::text as fingerprint
    from disputes
    where account_id > ${range.after} and account_id <= ${range.through}
    group by account_id`)
}

interface ExpectedMovements {
  transaction_id: string
  /** Sorted, each with its amount, such as "withdraw 500". */
  movements: string[]
}

export async function selectExpectedMovements(
  db: Queryable,
  account_id: string,
): Promise<ExpectedMovements[]> {
  return db.rows(sql`
    select transaction_id,
      array_agg(movement || ' ' || amount order by movement, amount) as movements
    from (
      select transaction_id, 'withdraw' as movement, amount
      from disputes
      where account_id = ${account_id}
      union all
      select transaction_id, 'reinstate', amount
      from disputes
      where account_id = ${account_id} and status = 'won') as expected
    group by transaction_id`)
}

/** The payments with a dispute that was not won. */
export async function selectDisputedPayments(
  db: Queryable,
  range: AccountRange,
): Promise<PaymentKey[]> {
  return db.rows(sql`
    select distinct account_id, transaction_id
    from disputes
    where account_id > ${range.after} and account_id <= ${range.through} and status <> 'won'`)
}

interface ProviderDisputeAmount {
  account_id: string
  id: string
  provider: ProviderName
  provider_dispute_id: string
  /** What the provider has taken: nothing once the dispute is won. */
  amount: number
}

export async function selectProviderDisputes(
  db: Queryable,
  range: AccountRange,
  providers: readonly ProviderName[],
): Promise<ProviderDisputeAmount[]> {
  return db.rows(sql`
    select account_id, id, provider, provider_dispute_id,
      case when status = 'won' then 0 else amount end as amount
    from disputes
    where account_id > ${range.after} and account_id <= ${range.through}
      and provider = any(${[...providers]}::text[])`)
}
