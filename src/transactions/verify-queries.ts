import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint, timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'

/** The movements of a transaction with this type and status. */
export interface MovementRule {
  type: TransactionType
  status: TransactionStatus
  begins: string
  /** Null while pending. */
  ends: string | null
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
    left join json_to_recordset(${JSON.stringify(rules)}) as it (
      type text, status text, begins text, ends text) using (type, status)
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
    left join json_to_recordset(${JSON.stringify(rules)}) as it (
      type text, status text, begins text, ends text) using (type, status)
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
    with linked as (
      select refund.account_id, refund_of as payment_id,
        coalesce(sum(amount) filter (where status in ('pending', 'succeeded')), 0) as refunded,
        coalesce(sum(amount) filter (where status = 'succeeded'), 0) as succeeded,
        coalesce(sum(amount) filter (where status in ('pending', 'succeeded')
          and coalesce(state = 'succeeded', true)), 0) as paid_out
      from transactions as refund
      left join provider_refunds
        on provider_refunds.account_id = refund.account_id and provider_refunds.id = refund.id
      where refund.account_id > ${range.after} and refund.account_id <= ${range.through}
        and type <> 'payment' and refund_of is not null
        -- A credit has returned these.
        and credit_id is null
      group by refund.account_id, refund_of
    ),
    total as (
      select account_id, payment_id, amount as stored_refunded,
        succeeded_amount as stored_succeeded
      from refund_totals
      where account_id > ${range.after} and account_id <= ${range.through}
    ),
    compared as (
      select account_id, payment_id, coalesce(refunded, 0)::bigint as refunded,
        coalesce(stored_refunded, 0) as stored_refunded,
        coalesce(paid_out, 0)::bigint as paid_out,
        coalesce(succeeded, 0)::bigint as succeeded,
        coalesce(stored_succeeded, 0) as stored_succeeded
      from linked
      full join total using (account_id, payment_id)
    )
    select compared.account_id, payment_id, refunded, stored_refunded, paid_out, succeeded,
      stored_succeeded, payment.amount as payment_amount, payment.type as payment_type,
      payment.status as payment_status
    from compared
    left join transactions as payment
      on payment.account_id = compared.account_id and payment.id = payment_id
    where refunded <> stored_refunded
      or succeeded <> stored_succeeded
      or payment.id is null
      or paid_out > payment.amount
      or payment.type <> 'payment'
      or payment.status <> 'succeeded'
    limit ${limit}`)
}
