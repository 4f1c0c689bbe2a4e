import type { OpenDueSearch } from '../jobs/due-work.ts'
import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { column, jsonColumn, timeColumn, timeOf } from '../postgres/column.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import {
  accountFilter,
  indexPageClause,
  keyBounds,
  keyPageClause,
} from '../postgres/page-clause.ts'
import { countRows } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { ListedRow, RowFilter, TransactionRow } from './transaction.ts'
import type { RefundTotal } from './working-set.ts'

export interface RowKey {
  account_id: string
  id: string
}

// The table is partitioned by status, which the caller does not know. Partitions are searched in
// order of likelihood, up to the first match: a lookup among a million transactions reads 4 pages.
// A plain join searches the index of every partition and reads 10.
export async function selectTransactions(
  db: Queryable,
  names: RowKey[],
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select found.account_id, found.id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    cross join lateral (
      select *
      from transactions
      where status = 'succeeded' and account_id = it.account_id and id = it.id
      union all
      select *
      from transactions
      where status = 'pending' and account_id = it.account_id and id = it.id
      union all
      select *
      from transactions
      where status = 'failed' and account_id = it.account_id and id = it.id
      union all
      select *
      from transactions
      where status = 'canceled' and account_id = it.account_id and id = it.id
      limit 1) as found`)
}

/** For admins and platforms, who identify a transaction without its account. */
export async function selectTransactionsById(
  db: Queryable,
  ids: string[],
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select found.account_id, found.id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata
    from unnest(${ids}::uuid[]) as it (id)
    cross join lateral (
      select * from transactions where status = 'succeeded' and id = it.id
      union all
      select * from transactions where status = 'pending' and id = it.id
      union all
      select * from transactions where status = 'failed' and id = it.id
      union all
      select * from transactions where status = 'canceled' and id = it.id
      limit 1) as found`)
}

export async function selectRefundTotals(db: Queryable, names: RowKey[]): Promise<RefundTotal[]> {
  return db.rows(sql`
    select refund_totals.account_id, payment_id, amount, succeeded_amount, last_succeeded_at
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join refund_totals
      on refund_totals.account_id = it.account_id and refund_totals.payment_id = it.id`)
}

/** A single row has its own statement: as a set of one it costs PostgreSQL twice as much. */
export function sendInserts(tx: Tx, rows: TransactionRow[]): void {
  if (rows.length === 1) sendInsert(tx, rows[0]!)
  else sendManyAtOnce(tx, rows)
}

function sendInsert(tx: Tx, row: TransactionRow): void {
  tx.send(sql`
    insert into transactions (account_id, id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata)
    values (${row.account_id}, ${row.id}, ${row.status}, ${row.amount}, ${row.currency},
      ${row.type}, ${row.refund_of}, ${row.due_at}, ${row.updated_at}, ${row.reference},
      ${row.metadata})`)
}

function sendManyAtOnce(tx: Tx, rows: TransactionRow[]): void {
  tx.send(sql`
    insert into transactions (account_id, id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata)
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from unnest(
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.type)}::text[],
      ${rows.map((row) => row.refund_of)}::uuid[],
      ${rows.map((row) => row.due_at)}::timestamptz[],
      ${rows.map((row) => row.updated_at)}::timestamptz[],
      ${rows.map((row) => row.reference)}::text[],
      string_to_array(${jsonColumn(rows.map((row) => row.metadata))}, E'\\x1f', E'\\x1e')) as it (
        account_id, id, status, amount, currency, type, refund_of, due_at, updated_at, reference,
        metadata)`)
}

export interface StoredChange extends TransactionRow {
  stored_status: TransactionStatus
}

/** Sends one statement for each stored status of the rows: nearly always only pending. */
export function sendChanges(tx: Tx, rows: StoredChange[]): void {
  for (const [stored_status, of_status] of Map.groupBy(rows, (row) => row.stored_status)) {
    sendChangesFrom(tx, storedTexts[stored_status], of_status)
  }
}

// Literals, so the planner reads one partition only. With the status as a parameter, every batch of
// settlements scanned all transactions: 26 ms with 20,000 of them, and growing.
const storedTexts: Record<TransactionStatus, Sql> = {
  pending: sql`transactions.status = 'pending'`,
  succeeded: sql`transactions.status = 'succeeded'`,
  failed: sql`transactions.status = 'failed'`,
  canceled: sql`transactions.status = 'canceled'`,
}

function sendChangesFrom(tx: Tx, stored: Sql, rows: StoredChange[]): void {
  tx.send(sql`
    update transactions
    set status = it.status, due_at = it.due_at, updated_at = it.updated_at,
      reference = it.reference, metadata = it.metadata
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, status text, due_at timestamptz, updated_at timestamptz,
      reference text, metadata text)
    where ${stored}
      and transactions.account_id = it.account_id
      and transactions.id = it.id`)
}

export function sendRefundTotals(tx: Tx, totals: RefundTotal[]): void {
  tx.send(sql`
    insert into refund_totals (account_id, payment_id, amount, succeeded_amount, last_succeeded_at)
    select account_id, payment_id, amount, succeeded_amount, last_succeeded_at
    from json_to_recordset(${JSON.stringify(totals)}) as it (
      account_id uuid, payment_id uuid, amount bigint, succeeded_amount bigint,
      last_succeeded_at timestamptz)
    on conflict (account_id, payment_id) do update
    set amount = excluded.amount, succeeded_amount = excluded.succeeded_amount,
      last_succeeded_at = excluded.last_succeeded_at`)
}

export interface TransactionFilter extends RowFilter {
  type: TransactionType | undefined
  /** Only refunds linked to this payment. */
  refund_of?: string | undefined
}

export interface AccountPage {
  account_id: string
  /** Rows with a smaller id. */
  before: string
  limit: number
}

/**
 * Several pages without a filter; `page` is the one-based index of the requested page. For
 * `any(array[…])` see `ofAccount`.
 */
export async function selectAccountPages(
  db: Queryable,
  pages: AccountPage[],
): Promise<(ListedRow & { page: number })[]> {
  return db.rows(sql`
    select it.page, listed.account_id, id, status, amount, currency, type, reference, metadata
    from unnest(
      ${pages.map((page) => page.account_id)}::uuid[],
      ${pages.map((page) => page.before)}::uuid[],
      ${pages.map((page) => page.limit)}::int[]) with ordinality as it (
        account_id, before, length, page)
    cross join lateral (
      select account_id, id, status, amount, currency, type, reference, metadata
      from transactions
      where transactions.account_id = any(array[it.account_id]) and id < it.before
      order by account_id desc, id desc
      limit it.length) as listed`)
}

export async function selectTransactionPage(
  db: Queryable,
  filter: TransactionFilter,
  range: CursorRange,
): Promise<ListedRow[]> {
  const edge = (filter.type ?? filter.refund_of) === undefined ? keyPageClause : indexPageClause
  return db.rows(sql`
    select account_id, id, status, amount, currency, type, reference, metadata
    from transactions
    where true
      ${conditions(filter)}
      ${edge(filter, range)}
    limit ${range.limit}`)
}

export function countTransactions(db: Queryable, filter: TransactionFilter, limit: number) {
  const rows = sql`from transactions where true ${conditions(filter)} ${keyBounds(filter)}`
  return countRows(db, rows, limit)
}

// Literals, not parameters: otherwise the planner neither prunes partitions nor uses the partial
// index of transactions that are not payments.
const statusTexts: Record<TransactionStatus, Sql> = {
  pending: sql`and status = 'pending'`,
  succeeded: sql`and status = 'succeeded'`,
  failed: sql`and status = 'failed'`,
  canceled: sql`and status = 'canceled'`,
}

const typeTexts: Record<TransactionType, Sql> = {
  payment: sql`and type = 'payment'`,
  credit: sql`and type = 'credit'`,
  refund: sql`and type = 'refund'`,
}

function conditions(filter: TransactionFilter): Sql {
  const { status, type, refund_of } = filter
  return sql`${accountFilter(filter)}
      ${status === undefined ? nothing : statusTexts[status]}
      ${type === undefined ? nothing : typeTexts[type]}
      ${refund_of === undefined ? nothing : sql`and refund_of = ${refund_of}`}`
}

export interface DueRow extends RowKey {
  metadata: string | null
}

/** Pending transactions that are due, in the given slots; the longest due first within a slot. */
export async function selectDue(db: Queryable, due: OpenDueSearch): Promise<DueRow[]> {
  return db.rows(sql`
    select due.account_id, due.id, due.metadata
    from unnest(${due.slots.map((slot) => slot.toString(16))}::text[]) as it (slot)
    cross join lateral (
      select account_id, id, metadata
      from transactions
      where status = 'pending'
        and right(account_id::text, 1) = it.slot
        and due_at <= ${due.by}
        and id <> all(${due.excluded_ids}::uuid[])
        and account_id <> all(${due.except_account_ids}::uuid[])
      order by due_at
      limit ${due.limit}) as due`)
}

export function sendManyInserts(tx: Tx, rows: TransactionRow[]): void {
  tx.send(sql`
    insert into transactions (account_id, id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata)
    select account_id, id, status, amount, currency, type, refund_of, ${timeOf(sql`due_ms`)},
      ${timeOf(sql`updated_ms`)}, reference, metadata
    from unnest(
      ${column(rows.map((row) => row.account_id))}::uuid[],
      ${column(rows.map((row) => row.id))}::uuid[],
      ${column(rows.map((row) => row.status))},
      ${column(rows.map((row) => row.amount))}::bigint[],
      ${column(rows.map((row) => row.currency))},
      ${column(rows.map((row) => row.type))},
      ${column(rows.map((row) => row.refund_of))}::uuid[],
      ${timeColumn(rows.map((row) => row.due_at))},
      ${timeColumn(rows.map((row) => row.updated_at))},
      ${column(rows.map((row) => row.reference))},
      ${column(rows.map((row) => row.metadata))}) as it (
        account_id, id, status, amount, currency, type, refund_of, due_ms, updated_ms, reference,
        metadata)`)
}

/** A page of the pending transactions of one account, oldest first. */
export async function selectPendingOf(
  db: Queryable,
  account_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from transactions
    where account_id = any(array[${account_id}::uuid]) and status = 'pending' and id > ${after}
    order by account_id, id
    limit ${limit}`)
}

export interface VolumeRow {
  /** The zero-based index of the range. */
  range: number
  in: number
  out: number
  succeeded: number
  failed: number
  canceled: number
  pending: number
}

export interface CreationRange {
  first_id: string
  last_id: string
}

/**
 * Transactions created in each range: counts by status, and the amounts of succeeded ones. Each
 * status has a separate subquery that needs an index-only scan: 6,300 pages for 400,000
 * transactions, where grouping by status and type read 269,000. Partitions are queried by name:
 * with a condition on the status, which follows the id in the index, PostgreSQL 18 scans the table
 * instead. Sums are capped at 2^53, the end of exact integers.
 */
export async function selectVolumes(
  db: Queryable,
  account_id: string,
  ranges: CreationRange[],
): Promise<VolumeRow[]> {
  const within = sql`account_id = ${account_id} and id between it.first_id and it.last_id`
  return db.rows(sql`
    select it.n - 1 as range, paid.amount_in as "in", paid.amount_out as out, paid.n as succeeded,
      failed.n as failed, canceled.n as canceled, pending.n as pending
    from unnest(
      ${ranges.map(({ first_id }) => first_id)}::uuid[],
      ${ranges.map(({ last_id }) => last_id)}::uuid[]) with ordinality as it (first_id, last_id, n)
    cross join lateral (
      select count(*) as n,
        least(coalesce(sum(amount) filter (where type <> 'refund'), 0), 1::bigint << 53)::bigint
          as amount_in,
        least(coalesce(sum(amount) filter (where type = 'refund'), 0), 1::bigint << 53)::bigint
          as amount_out
      from transactions_succeeded
      where ${within}) as paid
    cross join lateral (
      select count(*) as n
      from transactions_failed
      where ${within}) as failed
    cross join lateral (
      select count(*) as n
      from transactions_canceled
      where ${within}) as canceled
    cross join lateral (
      select count(*) as n
      from transactions_pending
      where ${within}) as pending`)
}

/** A page of the list, ids only. */
export async function selectTransactionIds(
  db: Queryable,
  filter: TransactionFilter,
  range: CursorRange,
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id
    from transactions
    where true
      ${conditions(filter)}
      ${keyPageClause(filter, range)}
    limit ${range.limit}`)
}

/** The number of due transactions; each slot counts up to `limit`. */
export async function countDue(
  db: Queryable,
  { by, limit, except_account_ids }: Pick<OpenDueSearch, 'by' | 'limit' | 'except_account_ids'>,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from unnest(${slots}::text[]) as it (slot)
    cross join lateral (
      select 1
      from transactions
      where status = 'pending' and right(account_id::text, 1) = it.slot and due_at <= ${by}
        and account_id <> all(${except_account_ids}::uuid[])
      limit ${limit}) as due`)
  return counted!.n
}

const slots = [...'0123456789abcdef']
