// Pages of transactions, newest first.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { readTime } from '../postgres/clock.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import {
  type CursorPage,
  type CursorQuery,
  type CursorRange,
  pageByCursor,
} from '../primitives/cursor.ts'
import { idRange } from '../primitives/id-range.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { type Caller, runsService } from '../sessions/caller.ts'
import { findListedAccount } from '../users/acting-account.ts'
import {
  type AccountPage,
  selectAccountPages,
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
} from './queries.ts'
import type { ListedRow } from './transaction.ts'

const greatest_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface TransactionListQuery extends CursorQuery {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

// Across accounts the order of commits is not the order of ids: a row may still appear below one
// that is visible already. Walking to newer ones leaves the youngest out until that is settled.
const unsettled_ms = 10_000

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
  const { status, type, date_from, date_to } = query
  return (
    (status ?? type ?? date_from ?? date_to) === undefined &&
    range.after === null &&
    range.limit <= shared_limit_max
  )
}

async function listTransactions(
  db: Db,
  findPage: FindPage,
  caller: Caller,
  query: TransactionListQuery,
): Promise<CursorPage<ListedRow>> {
  const account_id = await findListedAccount(db, caller)
  const no_account = account_id === undefined && !runsService(caller)
  const dates = idRange(query.date_from, query.date_to)
  const filter = { account_id, status: query.status, type: query.type, ...dates }
  return pageByCursor(query, 'transaction', {
    exists: async (id) => {
      if (no_account) return false
      const found = await (account_id === undefined
        ? selectTransactionsById(db, [id])
        : selectTransactions(db, [{ account_id, id }]))
      return found.length > 0
    },
    select: async (range) => {
      if (no_account) return []
      if (account_id !== undefined && isShared(query, range)) {
        const { before, limit } = range
        return (await findPage({ account_id, before: before ?? greatest_id, limit }))!
      }
      const settled = account_id === undefined && range.after !== null
      const last_id = settled ? least(filter.last_id, await newestSettled(db)) : filter.last_id
      return selectTransactionPage(db, { ...filter, last_id }, range)
    },
  })
}

async function newestSettled(db: Db): Promise<string> {
  return firstUuidAt((await readTime(db)).getTime() - unsettled_ms)
}

function least(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}
