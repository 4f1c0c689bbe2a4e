import type { RowKey } from '../lanes/row-set.ts'
import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint, timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys } from '../postgres/sql-rows.ts'
import type { TransactionRow } from './transaction.ts'

/** The movements of a transaction with this type and status. */
export interface MovementRule {
  type: TransactionType
  status: TransactionStatus
  begins: string
  /** Null while pending. */
  ends: string | null
}

// unnest() is immutable, unlike json_to_recordset(): Citus can evaluate it on every shard.
function ruleRows(rules: MovementRule[]): Sql {
  return sql`unnest(
      ${rules.map(({ type }) => type)}::text[], ${rules.map(({ status }) => status)}::text[],
      ${rules.map(({ begins }) => begins)}::text[], ${rules.map(({ ends }) => ends)}::text[])
      as it (type, status, begins, ends)`
}

export interface TransactionFacts {
  account_id: string
  transactions: number
  newest_id: string
  last_at: Date
  fingerprint: string
  /** The minimum and the maximum; they differ if the account has more than one currency. */
  currencies: [string, string]
  /** How many rows contradict themselves or the previous row. */
  broken: number
}

const rowFacts = (which: Sql) => sql`
    with numbered as (
      select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
        lag(id) over (partition by account_id order by id) as id_before,
        ${timeOfId(sql`id`)} as created_at
      from transactions
      where ${which}
    )`

const broken = sql`(id = id_before
        or updated_at < created_at
        or (due_at is not null and status <> 'pending')
        or (refund_of is not null and type <> 'refund'))`

export async function selectTransactionFacts(
  db: Queryable,
  range: AccountRange,
  rules: MovementRule[],
): Promise<TransactionFacts[]> {
  const which = sql`account_id > ${range.after} and account_id <= ${range.through}`
  return db.rows(sql`
    ${rowFacts(which)}
    select account_id, count(*) as transactions, max(id::text collate "C") as newest_id,
      max(updated_at) as last_at,
      (sum(${fingerprint(sql`id`, sql`begins`, sql`amount`)})
        + coalesce(sum(${fingerprint(sql`id`, sql`ends`, sql`amount`)}), 0))::text as fingerprint,
      array[min(currency), max(currency)] as currencies,
      count(*) filter (where ${broken}) as broken
    from numbered
    left join ${ruleRows(rules)} using (type, status)
    group by account_id`)
}

export interface BrokenTransaction {
  id: string
  id_before: string | null
  status: TransactionStatus
  type: TransactionType
  refund_of: string | null
  due_at: Date | null
  updated_at: Date
  created_at: Date
}

export async function selectBrokenTransactions(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<BrokenTransaction[]> {
  return db.rows(sql`
    ${rowFacts(sql`account_id = ${account_id}`)}
    select id, id_before, status, type, refund_of, due_at, updated_at, created_at
    from numbered
    where ${broken}
    order by id
    limit ${limit}`)
}

// The same parts as in the ledger: by the last two digits of the id.
const part = sql`right(id::text, 2)`

export async function selectTransactionParts(
  db: Queryable,
  account_id: string,
  rules: MovementRule[],
): Promise<{ part: string; fingerprint: string }[]> {
  return db.rows(sql`
    select ${part} as part,
      (sum(${fingerprint(sql`id`, sql`begins`, sql`amount`)})
        + coalesce(sum(${fingerprint(sql`id`, sql`ends`, sql`amount`)}), 0))::text as fingerprint
    from transactions
    left join ${ruleRows(rules)} using (type, status)
    where account_id = ${account_id}
    group by 1`)
}

export interface TransactionState {
  id: string
  type: TransactionType
  status: TransactionStatus
  amount: number
}

export async function selectStatesOfPart(
  db: Queryable,
  account_id: string,
  of_part: string,
): Promise<TransactionState[]> {
  return db.rows(sql`
    select id, type, status, amount
    from transactions
    where account_id = ${account_id} and ${part} = ${of_part}`)
}

export type PayingTransaction = Pick<
  TransactionRow,
  'account_id' | 'id' | 'status' | 'type' | 'amount' | 'currency'
>

/** Of accounts of any shard. A plain join: the lookup of one shard stops at the first partition. */
export async function selectPayingTransactions(
  db: Queryable,
  keys: RowKey[],
): Promise<PayingTransaction[]> {
  return db.rows(sql`
    select transactions.account_id, transactions.id, status, type, amount, currency
    from ${rowKeys(keys)}
    join transactions on transactions.account_id = it.account_id and transactions.id = it.id
    where transactions.account_id = any(${accountsOf(keys)}::uuid[])`)
}

export interface BrokenRefund {
  account_id: string
  payment_id: string
  refunded: number
  stored_refunded: number
  /** Without refunds that a provider has not paid out yet, and may reject. */
  paid_out: number
  /** The succeeded part of both totals. */
  succeeded: number
  stored_succeeded: number
  payment_amount: number | null
  payment_type: TransactionType | null
  payment_status: TransactionStatus | null
}

// Refunds are few and have an index, so no other transactions are read.
export async function selectBrokenRefunds(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<BrokenRefund[]> {
  return db.rows(sql`
    select compared.account_id, compared.payment_id, refunded, stored_refunded, paid_out,
      succeeded, stored_succeeded, payment.amount as payment_amount, payment.type as payment_type,
      payment.status as payment_status
    from (
      select account_id, payment_id, sum(refunded)::bigint as refunded,
        sum(stored_refunded)::bigint as stored_refunded, sum(paid_out)::bigint as paid_out,
        sum(succeeded)::bigint as succeeded, sum(stored_succeeded)::bigint as stored_succeeded
      from (
        select refund.account_id, refund_of as payment_id,
          case when status in ('pending', 'succeeded') then amount else 0 end as refunded,
          0::bigint as stored_refunded,
          case when status in ('pending', 'succeeded') and coalesce(state = 'succeeded', true)
            then amount else 0 end as paid_out,
          case when status = 'succeeded' then amount else 0 end as succeeded,
          0::bigint as stored_succeeded
        from transactions as refund
        left join provider_refunds
          on provider_refunds.account_id = refund.account_id and provider_refunds.id = refund.id
        where refund.account_id > ${range.after} and refund.account_id <= ${range.through}
          and type <> 'payment' and refund_of is not null
          -- A credit has returned these.
          and credit_id is null
        union all
        select account_id, payment_id, 0, amount, 0, 0, succeeded_amount
        from refund_totals
        where account_id > ${range.after} and account_id <= ${range.through}) as found
      group by account_id, payment_id) as compared
    left join transactions as payment
      on payment.account_id = compared.account_id and payment.id = compared.payment_id
    where refunded <> stored_refunded
      or succeeded <> stored_succeeded
      or payment.id is null
      or paid_out > payment.amount
      or payment.type <> 'payment'
      or payment.status <> 'succeeded'
    limit ${limit}`)
}
