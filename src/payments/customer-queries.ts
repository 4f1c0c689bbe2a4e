// The payment requests of customers, by canonical email.

import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { type AddressReplacement, replaced } from '../postgres/replace-text.ts'
import { type SearchedRows, searchNewest, type TextQuery } from '../postgres/search-newest.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import { max_uuid, nil_uuid } from '../primitives/ids.ts'
import type { AttemptRow } from './attempt.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'
import { payment_columns } from './queries.ts'

export interface RequestTotal {
  email: string
  status: PaymentStatus
  requests: number
  amount: number
  /** The oldest of the requests that were read. */
  first_id: string
  last_at: Date
  transaction_ids: string[] | null
}

/** The sums of the newest `requests_max` requests of each address, by status. */
export async function selectRequestTotals(
  db: Queryable,
  account_id: string,
  emails: string[],
  requests_max: number,
): Promise<RequestTotal[]> {
  return db.rows(sql`
    select it.email, requests.status, count(*) as requests,
      least(sum(requests.amount), 1::bigint << 53)::bigint as amount,
      min(requests.id::text collate "C") as first_id, max(requests.updated_at) as last_at,
      array_agg(requests.transaction_id) filter (where requests.transaction_id is not null)
        as transaction_ids
    from unnest(${emails}::text[]) as it (email)
    cross join lateral (
      select id, status, amount, updated_at, transaction_id
      from payment_requests
      where account_id = ${account_id} and lower(customer_email collate "C") = it.email
      order by id desc
      limit ${requests_max}) as requests
    group by it.email, requests.status`)
}

// Compares whole keys, as lists of an account do (docs/decisions/0013).
const key = sql`(account_id, lower(customer_email collate "C"), id)`

/** A page of the requests to one address, in the order of the index. */
export async function selectRequestsTo(
  db: Queryable,
  account_id: string,
  email: string,
  { before, after, limit }: CursorRange,
): Promise<PaymentRow[]> {
  const down = after === null ? sql`desc` : nothing
  return db.rows(sql`
    select ${payment_columns}
    from payment_requests
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
    from payment_requests
    where account_id <= ${range.through}
      and (account_id, lower(customer_email collate "C"))
        > (${after.account_id}::uuid, ${after.email})
    order by account_id, email
    limit ${limit}`)
}

const searched = {
  table: sql`payment_requests`,
  columns: payment_columns,
  texts: [sql`customer_email`, sql`reference`],
  has_amount: true,
}

/** By email, reference, amount or the end of the id, among the newest requests. */
export function searchRequestRows(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<PaymentRow>> {
  return searchNewest(db, searched, account_id, query)
}

/** Also removes the message to the customer. Returns the keys of the requests. */
export async function eraseRequests(
  tx: Tx,
  email: string,
  replacement: AddressReplacement,
): Promise<{ id: string; transaction_id: string | null }[]> {
  return tx.rows(sql`
    update payment_requests
    set customer_email = ${replacement.to}, reference = ${replaced(sql`reference`, replacement)},
      metadata = ${replaced(sql`metadata`, replacement)}, message = null
    where account_id = ${replacement.account_id} and lower(customer_email collate "C") = ${email}
    returning id, transaction_id`)
}

export async function eraseReturns(
  tx: Tx,
  payment_ids: string[],
  replacement: AddressReplacement,
): Promise<void> {
  await tx.count(sql`
    update payment_returns
    set return_url = ${replaced(sql`return_url`, replacement)},
      cancel_url = ${replaced(sql`cancel_url`, replacement)}
    where account_id = ${replacement.account_id} and payment_id = any(${payment_ids}::uuid[])`)
}

/** The attempts of these requests. A request has at most ten. */
export async function selectAttemptsOf(db: Queryable, keys: RowKey[]): Promise<AttemptRow[]> {
  return db.rows(sql`
    select attempts.account_id, payment_id, number, created_at, outcome, decline_code, card_brand,
      card_last4
    from ${rowKeys(keys)}
    join payment_attempts as attempts
      on attempts.account_id = it.account_id and attempts.payment_id = it.id
    where attempts.account_id = any(${accountsOf(keys)}::uuid[])
    order by payment_id, number`)
}
