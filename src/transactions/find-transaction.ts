// Reading transactions: one by id, and pages of them.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import { readTime } from '../postgres/clock.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { idRange } from '../primitives/id-range.ts'
import { findUuid, firstUuidAt } from '../primitives/ids.ts'
import { type Caller, runsService } from '../sessions/caller.ts'
import { findActingAccount, findListedAccount } from '../users/acting-account.ts'
import { unknownTransaction } from './decide.ts'
import {
  type RowName,
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
} from './queries.ts'
import type { TransactionRow } from './transaction.ts'
import { rowKey } from './working-set.ts'

/** Without an account the name is looked for in all of them: for those who run the service. */
export interface TransactionName {
  account_id: string | undefined
  id: string
}

export type FindTransaction = (name: TransactionName) => Promise<TransactionRow | undefined>

/** Look-ups that arrive together share one statement. */
export function transactionFinder(db: Db): FindTransaction {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const of_account = coalesce((names: RowName[]) => findInOrder(db, names), limits, tooBusy)
  const of_any = coalesce((ids: string[]) => findByIdInOrder(db, ids), limits, tooBusy)
  return ({ account_id, id }) =>
    account_id === undefined ? of_any(id) : of_account({ account_id, id })
}

async function findInOrder(db: Db, names: RowName[]): Promise<(TransactionRow | undefined)[]> {
  const rows = await selectTransactions(db, names)
  const by_key = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
  return names.map((name) => by_key.get(rowKey(name.account_id, name.id)))
}

async function findByIdInOrder(db: Db, ids: string[]): Promise<(TransactionRow | undefined)[]> {
  const rows = await selectTransactionsById(db, ids)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => by_id.get(id))
}

/** The transaction with this id, if the caller may see it; else it does not exist. */
export async function getTransaction(
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
): Promise<TransactionRow> {
  const account_id = findActingAccount(caller)
  const id = readTransactionId(transaction_id)
  if (account_id === undefined && !runsService(caller)) throw unknownTransaction()
  const row = await find({ account_id, id })
  if (row === undefined) throw unknownTransaction()
  return row
}

/** The bare id; a text that cannot be one is an id that nobody has. */
export function readTransactionId(text: string): string {
  const id = findUuid('transaction', text)
  if (id === undefined) throw unknownTransaction()
  return id
}

export interface TransactionListQuery extends CursorQuery {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

// Across accounts the order of commits is not the order of ids: a row may still appear below one
// that is visible already. Walking to newer ones leaves the youngest out until that is settled.
const unsettled_ms = 10_000

export async function listTransactions(
  db: Db,
  caller: Caller,
  query: TransactionListQuery,
): Promise<CursorPage<TransactionRow>> {
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
