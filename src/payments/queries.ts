import type { DueRowKey, OpenDueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { countDueRows, selectDueRows } from '../postgres/due-rows.ts'
import {
  accountFilter,
  indexPageClause,
  keyBounds,
  keyPageClause,
  statusFilter,
} from '../postgres/page-clause.ts'
import { countRows } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { RowFilter } from '../transactions/transaction.ts'
import type { AttemptRow } from './attempt.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'

export const payment_columns = sql`account_id, id, status, amount, currency, customer_email,
      token, declines, attempts, sends, transaction_id, expires_at, due_at, updated_at, reference,
      metadata, message, reminder_days, link_id, form_key`

export async function selectPayments(db: Queryable, names: RowKey[]): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email, token,
      declines, attempts, sends, transaction_id, expires_at, due_at, updated_at, reference,
      metadata, message, reminder_days, link_id, form_key
    from ${rowKeys(names)}
    join payment_requests as requests
      on requests.account_id = it.account_id and requests.id = it.id
    where requests.account_id = any(${accountsOf(names)}::uuid[])`)
}

/** The requests paid by these transactions. */
export async function selectPaymentsPaidBy(
  db: Queryable,
  transactions: RowKey[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email, token,
      declines, sends, transaction_id, expires_at, due_at, updated_at, reference, metadata,
      message, reminder_days, link_id, form_key
    from ${rowKeys(transactions)}
    join payment_requests as requests
      on requests.status = 'succeeded' and requests.account_id = it.account_id
      and requests.transaction_id = it.id
    where requests.account_id = any(${accountsOf(transactions)}::uuid[])`)
}

/** For admins and platforms, who identify a request without its account. */
export async function selectPaymentsById(db: Queryable, ids: string[]): Promise<PaymentRow[]> {
  return db.rows(sql`
    select ${payment_columns}
    from payment_requests
    where id = any(${ids}::uuid[])`)
}

/** By the last ten digits of their ids, in all accounts. */
export async function selectPaymentsByIdEnd(
  db: Queryable,
  id_ends: string[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select ${payment_columns}
    from payment_requests
    where right(id::text, 10) = any(${id_ends}::text[])
    order by id`)
}

// Payers transfer within days. An index on the amount would cost every new request time.
const recent_max = 5_000

const amountRows = sqlRows('amount bigint, currency text')

/** Without the requests before the last few thousand. */
export async function selectRecentlyOpened(
  db: Queryable,
  amounts: Pick<PaymentRow, 'amount' | 'currency'>[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    with recent as (
      select ${payment_columns}
      from payment_requests
      order by id desc
      limit ${recent_max})
    select ${payment_columns}
    from recent
    where status = 'pending'
      and (amount, currency) in (select it.amount, it.currency from ${amountRows.from(amounts)})`)
}

/** For the payment page, which has only the token in the link. */
export async function selectPaymentsByToken(
  db: Queryable,
  tokens: string[],
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select requests.account_id, requests.id, status, amount, currency, customer_email,
      requests.token, declines, attempts, sends, transaction_id, expires_at, due_at, updated_at,
      reference, metadata, message, reminder_days, link_id, form_key
    from payment_links as links
    join payment_requests as requests
      on requests.account_id = links.account_id and requests.id = links.payment_id
    where links.token = any(${tokens}::text[])`)
}

const newRows = sqlRows(`
  account_id uuid, id uuid, status text, amount bigint, currency text, customer_email text,
  token text, declines smallint, attempts smallint, sends integer, transaction_id uuid,
  expires_at timestamptz, due_at timestamptz, updated_at timestamptz, reference text,
  metadata text, message text, reminder_days smallint, link_id uuid,
  form_key text`)

export function sendNewPayments(tx: Tx, rows: PaymentRow[]): void {
  tx.send(sql`insert into payment_requests ${newRows.insertByAccount(rows, tx)}`)
}

const newLinks = sqlRows('token text, account_id uuid, payment_id uuid')

export function sendPaymentLinks(tx: Tx, rows: PaymentRow[]): void {
  const links = rows.map(({ token, account_id, id }) => ({ token, account_id, payment_id: id }))
  tx.send(sql`insert into payment_links ${newLinks.insertByAccount(links, tx)}`)
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, declines smallint, attempts smallint, sends integer,
  transaction_id uuid, due_at timestamptz, updated_at timestamptz`)

// Only pending requests change. The literal status makes the planner read one partition only.
export function sendPaymentChanges(tx: Tx, changes: [PaymentRow, PaymentStatus][]): void {
  const ended = changes.find(([, stored_status]) => stored_status !== 'pending')
  if (ended) throw new Error(`cannot change a ${ended[1]} payment request`)
  const rows = changes.map(([row]) => row)
  tx.send(sql`
    update payment_requests as requests
    set status = it.status, declines = it.declines, attempts = it.attempts, sends = it.sends,
      transaction_id = it.transaction_id, due_at = it.due_at, updated_at = it.updated_at
    from ${changedRows.from(rows)}
    where requests.status = 'pending'
      and requests.account_id = it.account_id
      and requests.account_id = any(${accountsOf(rows)}::uuid[])
      and requests.id = it.id`)
}

const newAttempts = sqlRows(`
  account_id uuid, payment_id uuid, number smallint, created_at timestamptz, outcome text,
  decline_code text, card_brand text, card_last4 text`)

export function sendAttempts(tx: Tx, rows: AttemptRow[]): void {
  tx.send(sql`insert into payment_attempts ${newAttempts.insertByAccount(rows, tx)}`)
}

/** Newest first. A request has at most ten attempts. */
export async function selectAttempts(
  db: Queryable,
  { account_id, id }: RowKey,
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
  /** Only requests that changed at this time or earlier. */
  updated_to?: Date | undefined
  /** Only requests with this text in the email or the reference; in lower case. */
  search?: string | undefined
  /** Only requests of this reusable link. */
  link_id?: string | undefined
  /** Only requests whose expiry is in this range, both ends inclusive. */
  expires_from?: Date | undefined
  expires_to?: Date | undefined
}

export async function selectPaymentPage(
  db: Queryable,
  filter: PaymentFilter,
  range: CursorRange,
): Promise<PaymentRow[]> {
  // A list of ids is looked up one by one, and a link has an index: a key range would not help.
  const by_key = filter.ids === undefined && filter.link_id === undefined
  const edge = by_key ? keyPageClause : indexPageClause
  return db.rows(sql`
    select ${payment_columns}
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

function conditions(filter: PaymentFilter): Sql {
  const { status, ids, link_id, search } = filter
  const { updated_from, updated_to, expires_from, expires_to } = filter
  return sql`${accountFilter(filter)}
      ${statusFilter(status)}
      ${ids === undefined ? nothing : sql`and id = any(${ids}::uuid[])`}
      ${search === undefined ? nothing : mentionOf(search)}
      ${link_id === undefined ? nothing : sql`and link_id = ${link_id}`}
      ${updated_from === undefined ? nothing : sql`and updated_at >= ${updated_from}`}
      ${updated_to === undefined ? nothing : sql`and updated_at <= ${updated_to}`}
      ${expires_from === undefined ? nothing : sql`and expires_at >= ${expires_from}`}
      ${expires_to === undefined ? nothing : sql`and expires_at <= ${expires_to}`}`
}

function mentionOf(search: string): Sql {
  return sql`and (strpos(lower(customer_email), ${search}) > 0
        or strpos(lower(reference), ${search}) > 0)`
}

const due_rows = {
  columns: sql`account_id, id`,
  source: sql`from payment_requests where status = 'pending'`,
  at: sql`due_at`,
}

export function selectDuePayments(db: Queryable, due: OpenDueSearch): Promise<DueRowKey[]> {
  return selectDueRows(db, due_rows, due)
}

/** Each slot counts up to `limit`. */
export function countDuePayments(
  db: Queryable,
  due: Omit<OpenDueSearch, 'slots' | 'excluded_ids'>,
): Promise<number> {
  return countDueRows(db, due_rows, due)
}

/** A page of the pending requests of one account, oldest first. */
export async function selectPendingPaymentsOf(
  db: Queryable,
  account_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<PaymentRow[]> {
  return db.rows(sql`
    select ${payment_columns}
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
