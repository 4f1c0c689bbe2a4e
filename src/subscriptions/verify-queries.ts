import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { PeriodRow, SubscriptionStatus } from './subscription.ts'

export interface SubscriptionFacts {
  account_id: string
  subscriptions: number
  /** The number of subscriptions that are not canceled. */
  open: number
  newest_id: string
  last_at: Date
  /** The minimum and the maximum; they differ if the account has more than one currency. */
  currencies: [string, string]
  /** How many rows contradict themselves or their periods. */
  broken: number
}

const rowFacts = (which: Sql) => sql`
    with periods as (
      select account_id, subscription_id, min(period) as first_period, max(period) as last_period
      from subscription_periods
      where ${which}
      group by account_id, subscription_id
    ),
    facts as (
      select own.account_id, id, status, currency, next_at, next_period, updated_at,
        ${timeOfId(sql`id`)} as created_at, first_period, last_period
      from (
        select account_id, id, status, currency, next_at, next_period, updated_at
        from subscriptions
        where ${which}) as own
      left join periods
        on periods.account_id = own.account_id and periods.subscription_id = own.id
    )`

const broken = sql`(updated_at < created_at
        or (next_at is not null) <> (status = 'active')
        or first_period is distinct from 0
        or last_period >= next_period)`

export async function selectSubscriptionFacts(
  db: Queryable,
  range: AccountRange,
): Promise<SubscriptionFacts[]> {
  return db.rows(sql`
    ${rowFacts(sql`account_id > ${range.after} and account_id <= ${range.through}`)}
    select account_id, count(*) as subscriptions,
      count(*) filter (where status <> 'canceled') as open,
      max(id::text collate "C") as newest_id, max(updated_at) as last_at,
      array[min(currency), max(currency)] as currencies,
      count(*) filter (where ${broken}) as broken
    from facts
    group by account_id`)
}

export interface BrokenSubscription {
  id: string
  status: SubscriptionStatus
  next_at: Date | null
  next_period: number
  updated_at: Date
  created_at: Date
  /** The first and last requested period; null when there is none. */
  first_period: number | null
  last_period: number | null
}

export async function selectBrokenSubscriptions(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<BrokenSubscription[]> {
  return db.rows(sql`
    ${rowFacts(sql`account_id = ${account_id}`)}
    select id, status, next_at, next_period, updated_at, created_at, first_period, last_period
    from facts
    where ${broken}
    order by id
    limit ${limit}`)
}

export interface RequestedPeriod extends PeriodRow {
  amount: number | null
  currency: string | null
  customer_email: string | null
}

/** The next page of periods with the terms of their subscription, in primary key order. */
export async function selectPeriodsAfter(
  db: Queryable,
  range: AccountRange,
  after: { account_id: string; subscription_id: string; period: number },
  limit: number,
): Promise<RequestedPeriod[]> {
  return db.rows(sql`
    select periods.account_id, subscription_id, period, starts_at, payment_id, amount, currency,
      customer_email
    from subscription_periods as periods
    left join subscriptions
      on subscriptions.account_id = periods.account_id
      and subscriptions.id = periods.subscription_id
    where periods.account_id <= ${range.through}
      and (periods.account_id, subscription_id, period)
        > (${after.account_id}::uuid, ${after.subscription_id}::uuid, ${after.period}::integer)
    order by periods.account_id, subscription_id, period
    limit ${limit}`)
}

export interface ReusedRequest {
  account_id: string
  payment_id: string
  periods: number
}

export async function selectReusedRequests(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<ReusedRequest[]> {
  return db.rows(sql`
    select account_id, payment_id, count(*) as periods
    from subscription_periods
    where account_id > ${range.after} and account_id <= ${range.through}
    group by account_id, payment_id
    having count(*) > 1
    limit ${limit}`)
}
