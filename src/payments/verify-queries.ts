import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { PaymentStatus } from './payment.ts'

export interface PaymentFacts {
  account_id: string
  payments: number
  pending: number
  newest_id: string
  last_at: Date
  /** The minimum and the maximum; they differ if the account has more than one currency. */
  currencies: [string, string]
  /** How many rows contradict themselves or the previous row. */
  broken: number
}

const rowFacts = (which: Sql) => sql`
    with numbered as (
      select account_id, id, status, currency, transaction_id, due_at, updated_at, expires_at,
        lag(id) over (partition by account_id order by id) as id_before,
        ${timeOfId(sql`id`)} as created_at
      from payment_requests
      where ${which}
    )`

const broken = sql`(id = id_before
        or updated_at < created_at
        or (due_at is not null) <> (status = 'pending')
        or (transaction_id is not null) <> (status = 'succeeded'))`

export async function selectPaymentFacts(
  db: Queryable,
  range: AccountRange,
): Promise<PaymentFacts[]> {
  return db.rows(sql`
    ${rowFacts(sql`account_id > ${range.after} and account_id <= ${range.through}`)}
    select account_id, count(*) as payments, count(*) filter (where status = 'pending') as pending,
      max(id::text collate "C") as newest_id, max(updated_at) as last_at,
      array[min(currency), max(currency)] as currencies,
      count(*) filter (where ${broken}) as broken
    from numbered
    group by account_id`)
}

export interface BrokenPayment {
  id: string
  id_before: string | null
  status: PaymentStatus
  transaction_id: string | null
  due_at: Date | null
  updated_at: Date
  created_at: Date
}

export async function selectBrokenPayments(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<BrokenPayment[]> {
  return db.rows(sql`
    ${rowFacts(sql`account_id = ${account_id}`)}
    select id, id_before, status, transaction_id, due_at, updated_at, created_at
    from numbered
    where ${broken}
    order by id
    limit ${limit}`)
}

export interface PaidRequest {
  account_id: string
  id: string
  amount: number
  currency: string
  transaction_id: string | null
}

/** The next page of succeeded requests, ordered by account and id. */
export async function selectPaidAfter(
  db: Queryable,
  range: AccountRange,
  after: { account_id: string; id: string },
  limit: number,
): Promise<PaidRequest[]> {
  return db.rows(sql`
    select account_id, id, amount, currency, transaction_id
    from payment_requests
    where status = 'succeeded'
      and account_id <= ${range.through}
      and (account_id, id) > (${after.account_id}::uuid, ${after.id}::uuid)
    order by account_id, id
    limit ${limit}`)
}

export interface ReusedTransaction {
  account_id: string
  transaction_id: string
  payments: number
}

export async function selectReusedTransactions(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<ReusedTransaction[]> {
  return db.rows(sql`
    select account_id, transaction_id, count(*) as payments
    from payment_requests
    where status = 'succeeded'
      and account_id > ${range.after} and account_id <= ${range.through}
    group by account_id, transaction_id
    having count(*) > 1
    limit ${limit}`)
}

export interface WrongAttempts {
  account_id: string
  payment_id: string
  /** Null when the request of the attempts does not exist. */
  status: PaymentStatus | null
  /** The request's counter; null for requests that predate stored attempts. */
  attempts: number | null
  declines: number | null
  stored: number
  stored_declines: number
}

/** Requests whose counter differs from their stored attempts, and attempts without a request. */
export async function selectWrongAttempts(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<WrongAttempts[]> {
  const within = sql`account_id > ${range.after} and account_id <= ${range.through}`
  return db.rows(sql`
    with stored as (
      select account_id, payment_id, count(*) as stored,
        count(*) filter (where outcome = 'declined') as stored_declines,
        max(number) - min(number) + 1 as numbers
      from payment_attempts
      where ${within}
      group by account_id, payment_id
    ), requests as (
      select account_id, id as payment_id, status, attempts, declines
      from payment_requests
      where ${within}
    )
    select account_id, payment_id, status, attempts, declines, coalesce(stored, 0) as stored,
      coalesce(stored_declines, 0) as stored_declines
    from requests
    full join stored using (account_id, payment_id)
    where status is null
      or numbers <> stored
      or coalesce(stored_declines, 0) > declines
      or stored - stored_declines > (status = 'succeeded')::integer
      or coalesce(stored, 0) <> attempts
      or (attempts is not null and coalesce(stored_declines, 0) <> declines)
    order by account_id, payment_id
    limit ${limit}`)
}

export interface BrokenLink {
  account_id: string
  payment_id: string
  has_link: boolean
  has_request: boolean
}

// Compares both tables as a whole: links are keyed by token, so they cannot be read by account
// range.
export async function selectBrokenLinks(db: Queryable, limit: number): Promise<BrokenLink[]> {
  return db.rows(sql`
    select coalesce(links.account_id, requests.account_id) as account_id,
      coalesce(links.payment_id, requests.id) as payment_id,
      links.token is not null as has_link, requests.token is not null as has_request
    from payment_links as links
    full join payment_requests as requests
      on requests.account_id = links.account_id
      and requests.id = links.payment_id
      and requests.token = links.token
    where links.token is null or requests.token is null
    limit ${limit}`)
}
