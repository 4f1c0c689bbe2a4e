// The subscriptions of customers, by canonical email.

import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { type AddressReplacement, replaced } from '../postgres/replace-text.ts'
import { type SearchedRows, searchNewest, type TextQuery } from '../postgres/search-newest.ts'
import { nothing, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import { max_uuid, nil_uuid } from '../primitives/ids.ts'
import type { SubscriptionRow } from './subscription.ts'

export interface SubscriptionTotal {
  email: string
  active: number
  open: number
  last_at: Date
}

/** Of the newest `subscriptions_max` of each address. */
export async function selectSubscriptionTotals(
  db: Queryable,
  account_id: string,
  emails: string[],
  subscriptions_max: number,
): Promise<SubscriptionTotal[]> {
  return db.rows(sql`
    select it.email, count(*) filter (where status = 'active') as active,
      count(*) filter (where status <> 'canceled') as open, max(updated_at) as last_at
    from unnest(${emails}::text[]) as it (email)
    cross join lateral (
      select status, updated_at
      from subscriptions
      where account_id = ${account_id} and lower(customer_email collate "C") = it.email
      order by id desc
      limit ${subscriptions_max}) as found
    group by it.email`)
}

// Compares whole keys, as lists of an account do (docs/decisions/0013).
const key = sql`(account_id, lower(customer_email collate "C"), id)`

/** A page of the subscriptions of one address. */
export async function selectSubscriptionsOf(
  db: Queryable,
  account_id: string,
  email: string,
  { before, after, limit }: CursorRange,
): Promise<SubscriptionRow[]> {
  const down = after === null ? sql`desc` : nothing
  return db.rows(sql`
    select account_id, id, status, customer_email, amount, currency, interval_unit as interval,
      interval_count, next_period, next_at, updated_at, reference, metadata
    from subscriptions
    where ${key} < (${account_id}, ${email}, ${before ?? max_uuid})
      and ${key} > (${account_id}, ${email}, ${after ?? nil_uuid})
    order by account_id ${down}, lower(customer_email collate "C") ${down}, id ${down}
    limit ${limit}`)
}

export interface CustomerAddress {
  account_id: string
  email: string
}

/** The next page of distinct addresses, ordered by account and address. For `florin verify`. */
export async function selectAddressesAfter(
  db: Queryable,
  range: AccountRange,
  after: CustomerAddress,
  limit: number,
): Promise<CustomerAddress[]> {
  return db.rows(sql`
    select distinct account_id, lower(customer_email collate "C") as email
    from subscriptions
    where account_id <= ${range.through}
      and (account_id, lower(customer_email collate "C"))
        > (${after.account_id}::uuid, ${after.email})
    order by account_id, email
    limit ${limit}`)
}

const searched = {
  table: sql`subscriptions`,
  columns: sql`account_id, id, status, customer_email, amount, currency, interval_unit as interval,
      interval_count, next_period, next_at, updated_at, reference, metadata`,
  texts: [sql`customer_email`, sql`reference`],
  has_amount: true,
}

/** By email, reference, amount or the end of the id, among the newest subscriptions. */
export function searchSubscriptionRows(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<SubscriptionRow>> {
  return searchNewest(db, searched, account_id, query)
}

/** Replaces the address in the subscriptions of one customer. */
export async function eraseSubscriptionRows(
  tx: Tx,
  email: string,
  replacement: AddressReplacement,
): Promise<void> {
  await tx.count(sql`
    update subscriptions
    set customer_email = ${replacement.to}, reference = ${replaced(sql`reference`, replacement)},
      metadata = ${replaced(sql`metadata`, replacement)}
    where account_id = ${replacement.account_id} and lower(customer_email collate "C") = ${email}`)
}
