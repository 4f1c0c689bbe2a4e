import { uuidDigitsOf } from '../bank/creditor-reference.ts'
import { getActingAccountId } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { isClosed } from '../ledger/closings.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type ListCount, runQueuedCount, runQueuedSearch } from '../postgres/search.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid, firstUuidAt, idRange, nil_uuid, toTypeId } from '../primitives/ids.ts'
import { expires_max_ms } from '../primitives/period.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { loadAndApplyClosings } from '../transactions/apply-closings.ts'
import {
  type DatedQuery,
  type FindRow,
  findVisible,
  listRows,
  type RowSource,
  rowFinder,
} from '../transactions/rows-of-accounts.ts'
import { type Attempt, presentAttempt } from './attempt.ts'
import { unknownPayment } from './commands.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'
import {
  countDeclines as countDeclinedAttempts,
  countPayments as countRows,
  type PaymentFilter,
  selectAttempts,
  selectPaymentIds,
  selectPaymentPage,
  selectPayments,
  selectPaymentsById,
  selectPaymentsByIdEnd,
  selectPaymentsByToken,
  selectRecentlyOpened,
} from './queries.ts'

export type FindPayment = FindRow<PaymentRow>

/** Concurrent lookups share one statement. */
export function paymentFinder(db: Db): FindPayment {
  return rowFinder(db, paymentsIn(db))
}

function paymentsIn(db: Db): RowSource<PaymentRow> {
  return {
    select: (names) => selectPayments(db, names),
    selectById: (ids) => selectPaymentsById(db, ids),
  }
}

/** In no order; requests that do not exist are left out. */
export function findPayments(db: Queryable, names: RowKey[]): Promise<PaymentRow[]> {
  return selectPayments(db, names)
}

/**
 * The requests, of all accounts, whose payers state one of these creditor references in a bank
 * transfer, oldest first. Usually one per reference; a few references belong to several.
 */
export async function findByReference(db: Queryable, references: string[]): Promise<PaymentRow[]> {
  const id_ends = references.flatMap((reference) => uuidDigitsOf(reference) ?? [])
  if (id_ends.length === 0) return []
  return loadAndApplyClosings(db, await selectPaymentsByIdEnd(db, id_ends))
}

/** Throws not_found unless the request exists and the caller has access to it. */
export async function getPayment(
  find: FindPayment,
  caller: Caller,
  payment_id: string,
): Promise<PaymentRow> {
  const row = await findVisible(find, caller, readPaymentId(payment_id))
  if (row === undefined) throw unknownPayment()
  return row
}

/** By id alone, in any account. In no order; requests that do not exist are left out. */
export async function findPaymentsById(db: Queryable, ids: string[]): Promise<PaymentRow[]> {
  return ids.length === 0 ? [] : loadAndApplyClosings(db, await selectPaymentsById(db, ids))
}

/** Open requests with one of these amounts, among the last few thousand of all accounts. */
export async function findRecentlyOpened(
  db: Queryable,
  amounts: Pick<PaymentRow, 'amount' | 'currency'>[],
): Promise<PaymentRow[]> {
  if (amounts.length === 0) return []
  const rows = await loadAndApplyClosings(db, await selectRecentlyOpened(db, amounts))
  return rows.filter(({ status }) => status === 'pending')
}

/** The card attempts of a request, newest first. */
export async function listAttempts(
  db: Db,
  find: FindPayment,
  caller: Caller,
  payment_id: string,
): Promise<CursorPage<Attempt>> {
  const row = await getPayment(find, caller, payment_id)
  const attempts = await selectAttempts(db, row)
  // A request has at most ten attempts, so there is never another page.
  return { object: 'list', data: attempts.map(presentAttempt), has_more: false }
}

/** The UUID in a payment request id. Malformed ids are reported as unknown. */
export function readPaymentId(text: string): string {
  const id = findUuid('payment', text)
  if (id === undefined) throw unknownPayment()
  return id
}

type FindPaymentByToken = (token: string) => Promise<PaymentRow | undefined>

const tokenShape = /^[A-Za-z0-9_-]{43}$/

/** For the payment page: the token in the link is the only credential. */
export function paymentByTokenFinder(db: Db): FindPaymentByToken {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const find = coalesce((tokens: string[]) => findByTokenInOrder(db, tokens), limits, tooBusy)
  return async (token) => (tokenShape.test(token) ? find(token) : undefined)
}

async function findByTokenInOrder(db: Db, tokens: string[]): Promise<(PaymentRow | undefined)[]> {
  const rows = await selectPaymentsByToken(db, tokens)
  const by_token = new Map(rows.map((row) => [row.token, row]))
  return tokens.map((token) => by_token.get(token))
}

export interface PaymentListQuery extends DatedQuery {
  status?: PaymentStatus | undefined
  /** Last changed at this time or later. */
  updated_from?: string | undefined
  /** Last changed at this time or earlier. */
  updated_to?: string | undefined
  /** Expires in this range. */
  expires_from?: string | undefined
  expires_to?: string | undefined
  /** Part of the customer's email or of the reference; case is ignored. */
  search?: string | undefined
  /** The id of a reusable payment link: lists only its requests. */
  payment_link?: string | undefined
  /** Only these requests of one account. */
  among?: { account_id: string; ids: string[] } | undefined
}

const search_advice =
  'There are too many payment requests to search. Retry with "status" or "date_from".'

export function listPayments(
  db: Db,
  caller: Caller,
  query: PaymentListQuery,
): Promise<CursorPage<PaymentRow>> {
  const { status, among, payment_link, search } = query
  const has_times = Object.keys(timesOf(query)).length > 0
  const is_indexed = !has_times && [among, payment_link, search].every((one) => one === undefined)
  return listRows(db, caller, query, {
    ...paymentsIn(db),
    kind: 'payment',
    status,
    selectPage: async (dated, range) => {
      const filter = withTimes(dated, query)
      if (is_indexed) return selectPaymentPage(db, filter, range)
      // Admins and platforms may omit the account, but the index starts with it.
      const account_id = among?.account_id ?? filter.account_id
      if (among !== undefined && (filter.account_id ?? account_id) !== account_id) return []
      if (among?.ids.length === 0) return []
      // A subscription can have thousands of requests, and times and texts have no index: this may
      // scan many requests to find a few.
      return runQueuedSearch(db, account_id ?? 'all', search_advice, (tx) =>
        selectPaymentPage(tx, { ...filter, account_id, ids: among?.ids }, range),
      )
    },
  })
}

/** The number of requests in the list, of one account. */
export async function countPayments(
  db: Db,
  caller: Caller,
  query: Omit<PaymentListQuery, 'limit'>,
): Promise<ListCount> {
  const { status, among, date_from, date_to } = query
  const range = idRange(date_from, date_to)
  const account_id = await getActingAccountId(db, caller)
  const is_foreign = among !== undefined && among.account_id !== account_id
  if (is_foreign) return { count: 0, is_exact: true }
  const dated = { account_id, status, ids: among?.ids, ...range }
  const filter = withTimes(dated, query)
  return runQueuedCount(db, account_id, (tx, limit) => countRows(tx, filter, limit))
}

type TimeFilters = Pick<
  PaymentListQuery,
  'updated_from' | 'updated_to' | 'expires_from' | 'expires_to' | 'payment_link' | 'search'
>

/** Adds the times that are not part of the key, and what follows from them for the key. */
function withTimes(filter: PaymentFilter, query: TimeFilters): PaymentFilter {
  const times = timesOf(query)
  const { updated_from, expires_from } = times
  const { status } = filter
  const bounds = [expires_from && expires_from.getTime() - expires_max_ms]
  // A request succeeds or fails before it expires, which bounds its creation time. Money may arrive
  // a little later, while the worker has not expired the request yet.
  if (status === 'failed' || status === 'succeeded') {
    bounds.push(updated_from && updated_from.getTime() - expires_max_ms - expiry_delay_ms)
  }
  const ids = bounds.flatMap((ms) => (ms === undefined ? [] : [firstUuidAt(Math.max(ms, 0))]))
  const { payment_link } = query
  // Not undefined if it is empty, which is not an id.
  const link_id = payment_link === undefined ? undefined : readLinkId(payment_link)
  const search = query.search?.toLowerCase()
  return { ...filter, ...times, link_id, search, first_id: ids.reduce(latest, filter.first_id) }
}

function readLinkId(text: string): string {
  const id = findUuid('payment_link', text)
  if (id !== undefined) return id
  const rule = '"payment_link" must be a payment link id such as "lnk_…"'
  throw new Refusal('invalid_request', `${rule}; got ${quote(text)}.`)
}

function timesOf({ updated_from, updated_to, expires_from, expires_to }: TimeFilters) {
  return {
    ...(updated_from !== undefined && { updated_from: readTime(updated_from, 'first') }),
    ...(updated_to !== undefined && { updated_to: readTime(updated_to, 'last') }),
    ...(expires_from !== undefined && { expires_from: readTime(expires_from, 'first') }),
    ...(expires_to !== undefined && { expires_to: readTime(expires_to, 'last') }),
  }
}

function readTime(text: string, edge: 'first' | 'last'): Date {
  const at = parseTimestamp(text, edge)
  if (at === undefined) throw new Error(`${text} was not validated`)
  return at
}

const expiry_delay_ms = 24 * 3_600_000

function latest(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other
}

/** The filters of the list that reports count by. */
export interface CountedPayments {
  status: PaymentStatus
  date_from?: string
  date_to?: string
  updated_from?: string
  updated_to?: string
  expires_from?: string
  expires_to?: string
}

/** The ids of one account's requests that match these filters. */
export async function findPaymentIds(
  db: Queryable,
  account_id: string,
  query: CountedPayments,
  { oldest_first, limit }: { oldest_first: boolean; limit: number },
): Promise<string[]> {
  const { status, date_from, date_to } = query
  const dated = { account_id, status, ...idRange(date_from, date_to) }
  const range = { before: null, after: oldest_first ? nil_uuid : null, limit }
  const rows = await selectPaymentIds(db, withTimes(dated, query), range)
  // Pending rows of a closed account count as canceled.
  const has_ended = status === 'pending' && rows.length > 0 && (await isClosed(db, account_id))
  if (has_ended) return []
  return rows.map(({ id }) => toTypeId('payment', id))
}

/** The number of declined cards in each span of milliseconds, both ends inclusive. */
export async function countDeclines(
  db: Queryable,
  account_id: string,
  spans: { from: number; to: number }[],
): Promise<number[]> {
  const dates = spans.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }))
  const counts = spans.map(() => 0)
  for (const { span, declines } of await countDeclinedAttempts(db, account_id, dates)) {
    counts[span] = declines
  }
  return counts
}
