import type { DueRowKey, OpenDueSearch } from '../jobs/due-work.ts'
import { jsonColumn } from '../postgres/column.ts'
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
import type { RowFilter } from '../transactions/transaction.ts'
import type { AttemptRow } from './attempt.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'

const columns = sql`account_id, id, status, amount, currency, customer_email, token, declines,
      attempts, sends, transaction_id, expires_at, due_at, updated_at, reference, metadata`

export interface PaymentKey {
  account_id: string
  id: string
}

export async function selectPayments(db: Queryable, names: PaymentKey[]): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email, token,
      declines, attempts, sends, transaction_id, expires_at, due_at, updated_at, reference,
      metadata
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join payment_requests as requests
      on requests.account_id = it.account_id and requests.id = it.id`)
}

/** The requests paid by these transactions. */
export async function selectPaymentsPaidBy(
  db: Queryable,
  transactions: PaymentKey[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email, token,
      declines, sends, transaction_id, expires_at, due_at, updated_at, reference, metadata
    from unnest(${transactions.map((name) => name.account_id)}::uuid[],
      ${transactions.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join payment_requests as requests
      on requests.status = 'succeeded' and requests.account_id = it.account_id
      and requests.transaction_id = it.id`)
}

/** For admins and platforms, who identify a request without its account. */
export async function selectPaymentsById(db: Queryable, ids: string[]): Promise<PaymentRow[]> {
  return db.rows(sql`
    select ${columns}
    from payment_requests
    where id = any(${ids}::uuid[])`)
}

/** For the payment page, which has only the token in the link. */
export async function selectPaymentsByToken(
  db: Queryable,
  tokens: string[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email,
      requests.token, declines, attempts, sends, transaction_id, expires_at, due_at, updated_at,
      reference, metadata
    from payment_links as links
    join payment_requests as requests
      on requests.account_id = links.account_id and requests.id = links.payment_id
    where links.token = any(${tokens}::text[])`)
}

// Columns are passed as arrays, as in transactions/queries.ts.
export function sendInserts(tx: Tx, rows: PaymentRow[]): void {
  tx.send(sql`
    insert into payment_requests (account_id, id, status, amount, currency, customer_email, token,
      declines, attempts, sends, transaction_id, expires_at, due_at, updated_at, reference,
      metadata)
    select account_id, id, status, amount, currency, customer_email, token, declines, attempts,
      sends, transaction_id, expires_at, due_at, updated_at, reference, metadata
    from unnest(
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.customer_email)}::text[],
      ${rows.map((row) => row.token)}::text[],
      ${rows.map((row) => row.declines)}::smallint[],
      ${rows.map((row) => row.attempts)}::smallint[],
      ${rows.map((row) => row.sends)}::integer[],
      ${rows.map((row) => row.transaction_id)}::uuid[],
      ${rows.map((row) => row.expires_at)}::timestamptz[],
      ${rows.map((row) => row.due_at)}::timestamptz[],
      ${rows.map((row) => row.updated_at)}::timestamptz[],
      ${rows.map((row) => row.reference)}::text[],
      string_to_array(${jsonColumn(rows.map((row) => row.metadata))}, E'\\x1f', E'\\x1e')) as it (
        account_id, id, status, amount, currency, customer_email, token, declines, attempts, sends,
        transaction_id, expires_at, due_at, updated_at, reference, metadata)`)
}

// A separate statement: on a sharded database the two tables can be on different nodes.
export function sendLinks(tx: Tx, rows: PaymentRow[]): void {
  tx.send(sql`
    insert into payment_links (token, account_id, payment_id)
    select token, account_id, payment_id
    from unnest(
      ${rows.map((row) => row.token)}::text[],
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[]) as it (token, account_id, payment_id)`)
}

export interface StoredChange extends PaymentRow {
  stored_status: PaymentStatus
}

// Only pending requests change. The literal status makes the planner read one partition only.
export function sendChanges(tx: Tx, rows: StoredChange[]): void {
  const ended = rows.find((row) => row.stored_status !== 'pending')
  if (ended) throw new Error(`cannot change a ${ended.stored_status} payment request`)
  tx.send(sql`
    update payment_requests as requests
    set status = it.status, declines = it.declines, attempts = it.attempts, sends = it.sends,
      transaction_id = it.transaction_id, due_at = it.due_at, updated_at = it.updated_at
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, status text, declines smallint, attempts smallint, sends integer,
      transaction_id uuid, due_at timestamptz, updated_at timestamptz)
    where requests.status = 'pending'
      and requests.account_id = it.account_id
      and requests.id = it.id`)
}

export function sendAttempts(tx: Tx, rows: AttemptRow[]): void {
  tx.send(sql`
    insert into payment_attempts (account_id, payment_id, number, created_at, outcome,
      decline_code, card_brand, card_last4)
    select account_id, payment_id, number, created_at, outcome, decline_code, card_brand,
      card_last4
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, payment_id uuid, number smallint, created_at timestamptz, outcome text,
      decline_code text, card_brand text, card_last4 text)`)
}

/** Newest first. A request has at most ten attempts. */
export async function selectAttempts(
  db: Queryable,
  { account_id, id }: PaymentKey,
): Promise<AttemptRow[]> {
  return db.rows(sql`
    select account_id, payment_id, number, created_at, outcome, decline_code, card_brand,
      card_last4
    from payment_attempts
    where account_id = ${account_id} and payment_id = ${id}
    order by number desc`)
}

/** The number of declined cards in each span, both ends inclusive. Uses an index-only scan. */
export async function countDeclines(
  db: Queryable,
  account_id: string,
  spans: { from: Date; to: Date }[],
): Promise<{ span: number; declines: number }[]> {
  return db.rows(sql`
    select it.n - 1 as span, declined.n as declines
    from unnest(
      ${spans.map(({ from }) => from)}::timestamptz[],
      ${spans.map(({ to }) => to)}::timestamptz[]) with ordinality as it (first, last, n)
    cross join lateral (
      select count(*) as n
      from payment_attempts
      where account_id = ${account_id} and outcome = 'declined'
        and created_at between it.first and it.last) as declined`)
}

export interface PaymentFilter extends RowFilter {
  /** Only requests with one of these ids. */
  ids?: string[] | undefined
  /** Only requests that changed at this time or later. */
  updated_from?: Date | undefined
}

export async function selectPaymentPage(
  db: Queryable,
  filter: PaymentFilter,
  range: CursorRange,
): Promise<PaymentRow[]> {
  // A list of ids is looked up one by one, so a key range would not help.
  const edge = filter.ids === undefined ? keyPageClause : indexPageClause
  return db.rows(sql`
    select ${columns}
    from payment_requests
    where true
      ${conditions(filter)}
      ${edge(filter, range)}
    limit ${range.limit}`)
}

export function countPayments(db: Queryable, filter: PaymentFilter, limit: number) {
  const rows = sql`from payment_requests where true ${conditions(filter)} ${keyBounds(filter)}`
  return countRows(db, rows, limit)
}

// Literals, not parameters: otherwise the planner does not prune partitions.
const statusTexts: Record<PaymentStatus, Sql> = {
  pending: sql`and status = 'pending'`,
  succeeded: sql`and status = 'succeeded'`,
  failed: sql`and status = 'failed'`,
  canceled: sql`and status = 'canceled'`,
}

function conditions(filter: PaymentFilter): Sql {
  const { status, ids, updated_from } = filter
  return sql`${accountFilter(filter)}
      ${status === undefined ? nothing : statusTexts[status]}
      ${ids === undefined ? nothing : sql`and id = any(${ids}::uuid[])`}
      ${updated_from === undefined ? nothing : sql`and updated_at >= ${updated_from}`}`
}

/** Pending requests that are due, in the given slots; the longest due first within a slot. */
export async function selectDuePayments(db: Queryable, due: OpenDueSearch): Promise<DueRowKey[]> {
  return db.rows(sql`
    select due.account_id, due.id
    from unnest(${due.slots.map((slot) => slot.toString(16))}::text[]) as it (slot)
    cross join lateral (
      select account_id, id
      from payment_requests
      where status = 'pending'
        and right(account_id::text, 1) = it.slot
        and due_at <= ${due.by}
        and id <> all(${due.excluded_ids}::uuid[])
        and account_id <> all(${due.except_account_ids}::uuid[])
      order by due_at
      limit ${due.limit}) as due`)
}

/** A page of the pending requests of one account, oldest first. */
export async function selectPendingPaymentsOf(
  db: Queryable,
  account_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select ${columns}
    from payment_requests
    where account_id = any(array[${account_id}::uuid]) and status = 'pending' and id > ${after}
    order by account_id, id
    limit ${limit}`)
}

/** A page of the list, ids only. */
export async function selectPaymentIds(
  db: Queryable,
  filter: PaymentFilter,
  range: CursorRange,
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id
    from payment_requests
    where true
      ${conditions(filter)}
      ${keyPageClause(filter, range)}
    limit ${range.limit}`)
}

/** The number of due requests; each slot counts up to `limit`. */
export async function countDuePayments(
  db: Queryable,
  { by, limit, except_account_ids }: Pick<OpenDueSearch, 'by' | 'limit' | 'except_account_ids'>,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from unnest(${slots}::text[]) as it (slot)
    cross join lateral (
      select 1
      from payment_requests
      where status = 'pending' and right(account_id::text, 1) = it.slot and due_at <= ${by}
        and account_id <> all(${except_account_ids}::uuid[])
      limit ${limit}) as due`)
  return counted!.n
}

const slots = [...'0123456789abcdef']
