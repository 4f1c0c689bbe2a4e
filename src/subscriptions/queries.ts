import type { DueRowKey, DueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { countDueRows, selectDueRows } from '../postgres/due-rows.ts'
import { accountPageClause, type IdPage, ofAccount } from '../postgres/page-clause.ts'
import { countRows } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { PeriodRow, SubscriptionRow, SubscriptionStatus } from './subscription.ts'

// `interval` is a keyword in SQL, so the column has a different name than the field.
const columns = sql`account_id, id, status, customer_email, amount, currency,
      interval_unit as interval, interval_count, next_period, next_at, updated_at, reference,
      metadata`

export async function selectSubscriptions(
  db: Queryable,
  names: RowKey[],
): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select subscriptions.account_id, subscriptions.id, status, customer_email, amount, currency,
      interval_unit as interval, interval_count, next_period, next_at, updated_at, reference,
      metadata
    from ${rowKeys(names)}
    join subscriptions
      on subscriptions.account_id = it.account_id and subscriptions.id = it.id
    where subscriptions.account_id = any(${accountsOf(names)}::uuid[])`)
}

interface SubscriptionFilter {
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

const newRows = sqlRows(`
  account_id uuid, id uuid, status text, customer_email text, amount bigint, currency text,
  interval_unit text, interval_count integer, next_period integer, next_at timestamptz,
  updated_at timestamptz, reference text, metadata text`)

export function sendNewSubscriptions(tx: Tx, rows: SubscriptionRow[]): void {
  const stored = rows.map((row) => ({ ...row, interval_unit: row.interval }))
  tx.send(sql`insert into subscriptions ${newRows.insertByAccount(stored, tx)}`)
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, next_period integer, next_at timestamptz,
  updated_at timestamptz, reference text, metadata text`)

export function sendSubscriptionChanges(tx: Tx, rows: SubscriptionRow[]): void {
  tx.send(sql`
    update subscriptions
    set status = it.status, next_period = it.next_period, next_at = it.next_at,
      updated_at = it.updated_at, reference = it.reference, metadata = it.metadata
    from ${changedRows.from(rows)}
    where subscriptions.account_id = it.account_id
      and subscriptions.account_id = any(${accountsOf(rows)}::uuid[])
      and subscriptions.id = it.id`)
}

const newPeriods = sqlRows(`
  account_id uuid, subscription_id uuid, period integer, starts_at timestamptz, payment_id uuid`)

export function sendPeriods(tx: Tx, rows: PeriodRow[]): void {
  tx.send(sql`insert into subscription_periods ${newPeriods.insertByAccount(rows, tx)}`)
}

/** The ids of a subscription's payment requests, one for each period. */
export async function selectRequestIds(
  db: Queryable,
  { account_id, id }: RowKey,
): Promise<{ payment_id: string }[]> {
  return db.rows(sql`
    select payment_id
    from subscription_periods
    where account_id = ${account_id} and subscription_id = ${id}`)
}

const due_rows = {
  columns: sql`account_id, id`,
  source: sql`from subscriptions where status = 'active'`,
  at: sql`next_at`,
}

export function selectDueSubscriptions(db: Queryable, due: DueSearch): Promise<DueRowKey[]> {
  return selectDueRows(db, due_rows, due)
}

/** Each slot counts up to `limit`. */
export function countDueSubscriptions(db: Queryable, by: Date, limit: number): Promise<number> {
  return countDueRows(db, due_rows, { by, limit })
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
