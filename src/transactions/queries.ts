import type { OpenDueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { countDueRows, selectDueRows } from '../postgres/due-rows.ts'
import {
  accountFilter,
  indexPageClause,
  keyBounds,
  keyPageClause,
  statusFilter,
} from '../postgres/page-clause.ts'
import { type AddressReplacement, mentions, replaced } from '../postgres/replace-text.ts'
import { countRows } from '../postgres/search.ts'
import { type SearchedRows, searchNewest, type TextQuery } from '../postgres/search-newest.ts'
import { FixedFragment, nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { ListedRow, RowFilter, TransactionRow } from './transaction.ts'
import type { RefundTotal } from './transaction-set.ts'

const statuses: TransactionStatus[] = ['succeeded', 'pending', 'failed', 'canceled']

const withKeys = `
    from unnest($1::uuid[], $2::uuid[]) as it (account_id, id)
    cross join lateral (${statuses
      .map(
        (status) => `
      select *
      from transactions
      where status = '${status}' and account_id = it.account_id and id = it.id
        and account_id = any($3::uuid[])`,
      )
      .join(`
      union all`)}
      limit 1) as found`

// The table is partitioned by status, which the caller does not know. Partitions are searched in
// order of likelihood, up to the first match: a lookup among a million transactions reads 4 pages.
// A plain join searches the index of every partition and reads 10.
export async function selectTransactions(
  db: Queryable,
  names: RowKey[],
): Promise<TransactionRow[]> {
  const account_ids = names.map(({ account_id }) => account_id)
  const ids = names.map(({ id }) => id)
  return db.rows(sql`
    select found.account_id, found.id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata
    ${new FixedFragment(withKeys, [account_ids, ids, accountsOf(names)])}`)
}

/** For admins and platforms, who identify a transaction without its account. */
export async function selectTransactionsById(
  db: Queryable,
  ids: string[],
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from transactions
    where id = any(${ids}::uuid[])`)
}

export async function selectRefundTotals(db: Queryable, names: RowKey[]): Promise<RefundTotal[]> {
  return db.rows(sql`
    select refund_totals.account_id, payment_id, amount, succeeded_amount, last_succeeded_at
    from ${rowKeys(names)}
    join refund_totals
      on refund_totals.account_id = it.account_id and refund_totals.payment_id = it.id
    where refund_totals.account_id = any(${accountsOf(names)}::uuid[])`)
}

const newRows = sqlRows(
  `account_id uuid, id uuid, status text, amount bigint, currency text, type text,
  refund_of uuid, due_at timestamptz, updated_at timestamptz, reference text, metadata text`,
  ['status', 'type', 'refund_of', 'due_at', 'updated_at'],
)

export function sendNewTransactions(tx: Tx, rows: TransactionRow[]): void {
  tx.send(sql`insert into transactions ${newRows.insertByAccount(rows, tx)}`)
}

/** A changed row, and the status it still has in the database. */
type StoredChange = [row: TransactionRow, stored_status: TransactionStatus]

/** Sends one statement for each stored status of the rows: nearly always only pending. */
export function sendTransactionChanges(tx: Tx, changes: StoredChange[]): void {
  for (const [stored_status, some] of Map.groupBy(changes, ([, status]) => status)) {
    const rows = some.map(([row]) => row)
    sendChangesFrom(tx, storedTexts[stored_status], rows)
  }
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, due_at timestamptz, updated_at timestamptz,
  reference text, metadata text`)

// Literals, so the planner reads one partition only. With the status as a parameter, every batch of
// settlements scanned all transactions: 26 ms with 20,000 of them, and growing.
const storedTexts: Record<TransactionStatus, Sql> = {
  pending: sql`transactions.status = 'pending'`,
  succeeded: sql`transactions.status = 'succeeded'`,
  failed: sql`transactions.status = 'failed'`,
  canceled: sql`transactions.status = 'canceled'`,
}

function sendChangesFrom(tx: Tx, stored: Sql, rows: TransactionRow[]): void {
  tx.send(sql`
    update transactions
    set status = it.status, due_at = it.due_at, updated_at = it.updated_at,
      reference = it.reference, metadata = it.metadata
    from ${changedRows.from(rows)}
    where ${stored}
      and transactions.account_id = it.account_id
      and transactions.account_id = any(${accountsOf(rows)}::uuid[])
      and transactions.id = it.id`)
}

const newTotals = sqlRows(`
  account_id uuid, payment_id uuid, amount bigint, succeeded_amount bigint,
  last_succeeded_at timestamptz`)

export function sendRefundTotals(tx: Tx, totals: RefundTotal[]): void {
  tx.send(sql`
    insert into refund_totals ${newTotals.insertByAccount(totals, tx)}
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

/** Several pages without a filter, of accounts of one shard. `ofAccount` explains the array. */
export async function selectAccountPages(
  db: Queryable,
  pages: (AccountPage & { page: number })[],
): Promise<(ListedRow & { page: number })[]> {
  return db.rows(sql`
    select it.page, listed.account_id, id, status, amount, currency, type, reference, metadata
    from unnest(
      ${pages.map((page) => page.account_id)}::uuid[],
      ${pages.map((page) => page.before)}::uuid[],
      ${pages.map((page) => page.limit)}::int[],
      ${pages.map((page) => page.page)}::int[]) as it (account_id, before, length, page)
    cross join lateral (
      select account_id, id, status, amount, currency, type, reference, metadata
      from transactions
      where transactions.account_id = any(array[it.account_id]) and id < it.before
        and transactions.account_id = any(${accountsOf(pages)}::uuid[])
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

// Literals, not parameters: otherwise the planner does not use the partial index of transactions
// that are not payments.
const typeTexts: Record<TransactionType, Sql> = {
  payment: sql`and type = 'payment'`,
  credit: sql`and type = 'credit'`,
  refund: sql`and type = 'refund'`,
}

function conditions(filter: TransactionFilter): Sql {
  const { status, type, refund_of } = filter
  return sql`${accountFilter(filter)}
      ${statusFilter(status)}
      ${type === undefined ? nothing : typeTexts[type]}
      ${refund_of === undefined ? nothing : sql`and refund_of = ${refund_of}`}`
}

export interface DueRow extends RowKey {
  metadata: string | null
}

const due_rows = {
  columns: sql`account_id, id, metadata`,
  source: sql`from transactions where status = 'pending'`,
  at: sql`due_at`,
}

export function selectDue(db: Queryable, due: OpenDueSearch): Promise<DueRow[]> {
  return selectDueRows(db, due_rows, due)
}

/** Each slot counts up to `limit`. */
export function countDue(
  db: Queryable,
  due: Omit<OpenDueSearch, 'slots' | 'excluded_ids'>,
): Promise<number> {
  return countDueRows(db, due_rows, due)
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

interface VolumeRow {
  /** The zero-based index of the range. */
  range: number
  in: number
  out: number
  succeeded: number
  failed: number
  canceled: number
  pending: number
}

interface CreationRange {
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

export interface CurrencyVolume {
  currency: string
  in: number
  out: number
  succeeded: number
  failed: number
}

/** Succeeded and failed transactions of all accounts, per range and currency. */
export async function selectVolumesByCurrency(
  db: Queryable,
  ranges: CreationRange[],
): Promise<(CurrencyVolume & { range: number })[]> {
  return db.rows(sql`
    select it.n - 1 as range, ended.currency,
      least(coalesce(sum(amount) filter (where status = 'succeeded' and type <> 'refund'), 0),
        1::bigint << 53)::bigint as "in",
      least(coalesce(sum(amount) filter (where status = 'succeeded' and type = 'refund'), 0),
        1::bigint << 53)::bigint as out,
      count(*) filter (where status = 'succeeded') as succeeded,
      count(*) filter (where status = 'failed') as failed
    from unnest(
      ${ranges.map(({ first_id }) => first_id)}::uuid[],
      ${ranges.map(({ last_id }) => last_id)}::uuid[]) with ordinality as it (first_id, last_id, n)
    join transactions as ended
      on ended.id between it.first_id and it.last_id
        and ended.status in ('succeeded', 'failed')
    group by it.n, ended.currency
    order by it.n, ended.currency`)
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

const searched = {
  table: sql`transactions`,
  columns: sql`account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata`,
  texts: [sql`reference`],
  has_amount: true,
}

/** By reference, amount or the end of the id, among the newest transactions of an account. */
export function searchTransactionRows(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<TransactionRow>> {
  return searchNewest(db, searched, account_id, query)
}

/** In the texts of these payments and of their refunds. Amounts and postings stay. */
export async function eraseTransactionTexts(
  tx: Tx,
  payment_ids: string[],
  replacement: AddressReplacement,
): Promise<void> {
  const { account_id } = replacement
  const change = sql`
    update transactions
    set reference = ${replaced(sql`reference`, replacement)},
      metadata = ${replaced(sql`metadata`, replacement)}
    where account_id = ${account_id}
      and (${mentions(sql`reference`, replacement)} or ${mentions(sql`metadata`, replacement)})`
  await tx.count(sql`${change} and id = any(${payment_ids}::uuid[])`)
  await tx.count(sql`${change} and refund_of = any(${payment_ids}::uuid[])`)
}
