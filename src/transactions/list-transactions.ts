import { getActingAccountId } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { isClosed } from '../ledger/closings.ts'
import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type ListCount, runQueuedCount, runQueuedSearch } from '../postgres/search.ts'
import type { CursorPage, CursorRange } from '../primitives/cursor.ts'
import { findUuid, idRange, max_uuid, nil_uuid, toTypeId } from '../primitives/ids.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import {
  type AccountPage,
  countTransactions as countRows,
  selectAccountPages,
  selectTransactionIds,
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
  type TransactionFilter,
} from './queries.ts'
import { type DatedQuery, listRows } from './rows-of-accounts.ts'
import type { ListedRow } from './transaction.ts'

interface TransactionListQuery extends DatedQuery {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
  /** The id of a payment: lists only the refunds linked to it. */
  refund_of?: string | undefined
}

type ListTransactions = (
  caller: Caller,
  query: TransactionListQuery,
) => Promise<CursorPage<ListedRow>>

export function transactionLister(db: Db): ListTransactions {
  const findPage = coalesce(
    (pages: AccountPage[]) => findPages(db, pages),
    // Pages are short and metadata is usually small; the largest batches are a few megabytes.
    { batch_max: 16, queue_max: 4_096 },
    tooBusy,
  )
  return (caller, query) => listTransactions(db, findPage, caller, query)
}

type FindPage = (page: AccountPage) => Promise<ListedRow[] | undefined>

/** The most frequent pages, of one account and without a filter, share one statement. */
async function findPages(db: Db, requested: AccountPage[]): Promise<ListedRow[][]> {
  const pages: ListedRow[][] = requested.map(() => [])
  const numbered = requested.map((page, at) => ({ ...page, page: at }))
  const rows = await db.shards.readEach(db, numbered, (some) => selectAccountPages(db, some))
  for (const row of rows) pages[row.page]!.push(row)
  // The statement has no overall order, so the rows of a page can arrive in any order.
  for (const page of pages) page.sort((one, other) => (one.id < other.id ? 1 : -1))
  return pages
}

const shared_limit_max = 21

function isShared(query: TransactionListQuery, range: CursorRange): boolean {
  const { status, type, refund_of, date_from, date_to } = query
  return (
    (status ?? type ?? refund_of ?? date_from ?? date_to) === undefined &&
    range.after === null &&
    range.limit <= shared_limit_max
  )
}

function listTransactions(
  db: Db,
  findPage: FindPage,
  caller: Caller,
  query: TransactionListQuery,
): Promise<CursorPage<ListedRow>> {
  const { status, type } = query
  const refund_of = readRefundOf(query.refund_of)
  return listRows(db, caller, query, {
    kind: 'transaction',
    status,
    select: (names) => selectTransactions(db, names),
    selectById: (ids) => selectTransactionsById(db, ids),
    selectPage: async (filter, range) => {
      const { account_id } = filter
      if (account_id !== undefined && isShared(query, range)) {
        const { before, limit } = range
        return (await findPage({ account_id, before: before ?? max_uuid, limit }))!
      }
      if (refund_of === undefined) {
        return findFiltered(db, caller, { ...filter, type }, range)
      }
      // Admins and platforms may omit the account, but the index of refunds starts with it.
      const payment = await findPayment(db, account_id, refund_of)
      if (payment === undefined) return []
      const linked = { ...filter, account_id: payment.account_id, refund_of }
      return findFiltered(db, caller, { ...linked, type }, range)
    },
  })
}

/** The number of transactions in the list, of one account. */
export async function countTransactions(
  db: Db,
  caller: Caller,
  query: Omit<TransactionListQuery, 'limit'>,
): Promise<ListCount> {
  const { status, type, date_from, date_to } = query
  const refund_of = readRefundOf(query.refund_of)
  const range = idRange(date_from, date_to)
  const account_id = await getActingAccountId(db, caller)
  const filter = { account_id, status, type, refund_of, ...range }
  return runQueuedCount(db, account_id, (tx, limit) => countRows(tx, filter, limit))
}

/** The filters of the list that reports count by. */
export interface CountedTransactions {
  status: TransactionStatus
  date_from?: string
  date_to?: string
}

/** The ids of one account's transactions that match these filters. */
export async function findTransactionIds(
  db: Queryable,
  account_id: string,
  { status, date_from, date_to }: CountedTransactions,
  { oldest_first, limit }: { oldest_first: boolean; limit: number },
): Promise<string[]> {
  const filter = { account_id, status, type: undefined, ...idRange(date_from, date_to) }
  const range = { before: null, after: oldest_first ? nil_uuid : null, limit }
  const rows = await selectTransactionIds(db, filter, range)
  // Pending rows of a closed account count as canceled.
  const has_ended = status === 'pending' && rows.length > 0 && (await isClosed(db, account_id))
  if (has_ended) return []
  return rows.map(({ id }) => toTypeId('transaction', id))
}

const search_advice =
  'There are too many transactions to search. Retry without "type", or with a shorter period.'

/**
 * Statuses are partitions and dates are id ranges, so either filter reads only the rows it returns.
 * Types have an index within an account, except payments, which are most rows of most accounts.
 */
function findFiltered(
  db: Db,
  caller: Caller,
  filter: TransactionFilter,
  range: CursorRange,
): Promise<ListedRow[]> {
  const { account_id, type } = filter
  const has_index = type === undefined || (account_id !== undefined && type !== 'payment')
  if (has_index) return selectTransactionPage(db, filter, range)
  return runQueuedSearch(db, account_id ?? caller.user_id, search_advice, (tx) =>
    selectTransactionPage(tx, filter, range),
  )
}

function readRefundOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const id = findUuid('transaction', text)
  if (id !== undefined) return id
  const rule = `"refund_of" must be a transaction id such as "txn_…"; got ${quote(text)}.`
  throw new Refusal('invalid_request', rule)
}

async function findPayment(db: Db, account_id: string | undefined, id: string) {
  const [row] = await (account_id === undefined
    ? selectTransactionsById(db, [id])
    : selectTransactions(db, [{ account_id, id }]))
  return row
}
