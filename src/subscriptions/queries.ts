import type { DueRowKey, DueSearch } from '../jobs/due-work.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { accountPageClause, type IdPage, ofAccount } from '../postgres/page-clause.ts'
import { countRows } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { PeriodRow, SubscriptionRow, SubscriptionStatus } from './subscription.ts'

export interface SubscriptionKey {
  account_id: string
  id: string
}

// `interval` is a keyword in SQL, so the column has a different name than the field.
const columns = sql`account_id, id, status, customer_email, amount, currency,
      interval_unit as interval, interval_count, next_period, next_at, updated_at, reference,
      metadata`

export async function selectSubscriptions(
  db: Queryable,
  names: SubscriptionKey[],
): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select subscriptions.account_id, subscriptions.id, status, customer_email, amount, currency,
      interval_unit as interval, interval_count, next_period, next_at, updated_at, reference,
      metadata
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join subscriptions
      on subscriptions.account_id = it.account_id and subscriptions.id = it.id`)
}

export interface SubscriptionFilter {
  account_id: string
  status: SubscriptionStatus | undefined
}

export async function selectSubscriptionPage(
  db: Queryable,
  filter: SubscriptionFilter,
  range: CursorRange,
): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select ${columns}
    ${listed(filter)}
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

export function countSubscriptions(db: Queryable, filter: SubscriptionFilter, limit: number) {
  return countRows(db, listed(filter), limit)
}

function listed({ account_id, status }: SubscriptionFilter): Sql {
  return sql`from subscriptions
    where ${ofAccount(account_id)}
      ${status === undefined ? nothing : sql`and status = ${status}`}`
}

/** The number of active subscriptions of one account, counted up to `limit`. */
export async function countActiveOf(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from (
      select 1
      from subscriptions
      where account_id = ${account_id} and status = 'active'
      limit ${limit}) as active`)
  return counted!.n
}

/** A page of the paused subscriptions of one account, oldest first. */
export async function selectPausedOf(
  db: Queryable,
  account_id: string,
  { after, limit }: IdPage,
): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select account_id, id, status, customer_email, amount, currency,
      interval_unit as interval, interval_count, next_period, next_at, updated_at, reference,
      metadata
    from subscriptions
    where account_id = ${account_id} and status = 'paused' and id > ${after}
    order by id
    limit ${limit}`)
}

export function sendInserts(tx: Tx, rows: SubscriptionRow[]): void {
  tx.send(sql`
    insert into subscriptions (account_id, id, status, customer_email, amount, currency,
      interval_unit, interval_count, next_period, next_at, updated_at, reference, metadata)
    select account_id, id, status, customer_email, amount, currency, "interval", interval_count,
      next_period, next_at, updated_at, reference, metadata
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, status text, customer_email text, amount bigint, currency text,
      "interval" text, interval_count integer, next_period integer, next_at timestamptz,
      updated_at timestamptz, reference text, metadata text)`)
}

export function sendChanges(tx: Tx, rows: SubscriptionRow[]): void {
  tx.send(sql`
    update subscriptions
    set status = it.status, next_period = it.next_period, next_at = it.next_at,
      updated_at = it.updated_at, reference = it.reference, metadata = it.metadata
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, status text, next_period integer, next_at timestamptz,
      updated_at timestamptz, reference text, metadata text)
    where subscriptions.account_id = it.account_id
      and subscriptions.id = it.id`)
}

export function sendPeriods(tx: Tx, rows: PeriodRow[]): void {
  tx.send(sql`
    insert into subscription_periods (account_id, subscription_id, period, starts_at, payment_id)
    select account_id, subscription_id, period, starts_at, payment_id
    from unnest(
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.subscription_id)}::uuid[],
      ${rows.map((row) => row.period)}::integer[],
      ${rows.map((row) => row.starts_at)}::timestamptz[],
      ${rows.map((row) => row.payment_id)}::uuid[]) as it (
        account_id, subscription_id, period, starts_at, payment_id)`)
}

/** The ids of a subscription's payment requests, one for each period. */
export async function selectRequestIds(
  db: Queryable,
  { account_id, id }: SubscriptionKey,
): Promise<{ payment_id: string }[]> {
  return db.rows(sql`
    select payment_id
    from subscription_periods
    where account_id = ${account_id} and subscription_id = ${id}`)
}

/** Subscriptions that are due, in the given slots; the longest due first within a slot. */
export async function selectDueSubscriptions(db: Queryable, due: DueSearch): Promise<DueRowKey[]> {
  return db.rows(sql`
    select due.account_id, due.id
    from unnest(${due.slots.map((slot) => slot.toString(16))}::text[]) as it (slot)
    cross join lateral (
      select account_id, id
      from subscriptions
      where status = 'active'
        and right(account_id::text, 1) = it.slot
        and next_at <= ${due.by}
        and id <> all(${due.excluded_ids}::uuid[])
      order by next_at
      limit ${due.limit}) as due`)
}

/** The account of a subscription, for lookups by id alone. */
export async function selectSubscriptionOwner(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return db.row(sql`
    select account_id
    from subscriptions
    where id = ${id}`)
}

/** The number of due subscriptions; each slot counts up to `limit`. */
export async function countDueSubscriptions(
  db: Queryable,
  by: Date,
  limit: number,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from unnest(${slots}::text[]) as it (slot)
    cross join lateral (
      select 1
      from subscriptions
      where status = 'active' and right(account_id::text, 1) = it.slot and next_at <= ${by}
      limit ${limit}) as due`)
  return counted!.n
}

const slots = [...'0123456789abcdef']
