// Pages of transactions, newest first.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import type { CursorPage, CursorRange } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from '../sessions/caller.ts'
import {
  type AccountPage,
  selectAccountPages,
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
} from './queries.ts'
import { type DatedQuery, listRows } from './rows-of-accounts.ts'
import type { ListedRow } from './transaction.ts'

const greatest_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface TransactionListQuery extends DatedQuery {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
  /** The id of a payment: only the refunds that are linked to it. */
  refund_of?: string | undefined
}

export type ListTransactions = (
  caller: Caller,
  query: TransactionListQuery,
) => Promise<CursorPage<ListedRow>>

export function transactionLister(db: Db): ListTransactions {
  const findPage = coalesce(
    (pages: AccountPage[]) => findPages(db, pages),
    // Short pages of rows with little metadata, as nearly all are; the worst are a few megabytes.
    { batch_max: 16, queue_max: 4_096 },
    tooBusy,
  )
  return (caller, query) => listTransactions(db, findPage, caller, query)
}

type FindPage = (page: AccountPage) => Promise<ListedRow[] | undefined>

/** The pages that are asked for most, of one account and without a filter, share one statement. */
async function findPages(db: Db, asked: AccountPage[]): Promise<ListedRow[][]> {
  const pages: ListedRow[][] = asked.map(() => [])
  for (const row of await selectAccountPages(db, asked)) pages[row.page - 1]!.push(row)
  // A statement promises the order of its rows only as a whole, and these are several lists.
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
        return (await findPage({ account_id, before: before ?? greatest_id, limit }))!
      }
      if (refund_of === undefined) {
        return selectTransactionPage(db, { ...filter, type }, range)
      }
      // Those who run the service need not say whose it is; the index of refunds must be told.
      const payment = await findPayment(db, account_id, refund_of)
      if (payment === undefined) return []
      const linked = { ...filter, account_id: payment.account_id, refund_of }
      return selectTransactionPage(db, { ...linked, type }, range)
    },
  })
}

function readRefundOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const id = findUuid('transaction', text)
  if (id !== undefined) return id
  throw new Refusal('invalid_request', 'refund_of must be the id of a transaction: txn_….')
}

async function findPayment(db: Db, account_id: string | undefined, id: string) {
  const [row] = await (account_id === undefined
    ? selectTransactionsById(db, [id])
    : selectTransactions(db, [{ account_id, id }]))
  return row
}
