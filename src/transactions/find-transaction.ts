// Reading transactions: one by id, and pages of them.

import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import type { Caller } from '../sessions/caller.ts'
import { unknownTransaction } from './decide.ts'
import {
  type RowName,
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
} from './queries.ts'
import {
  type DatedQuery,
  type FindRow,
  findVisible,
  listRows,
  type RowSource,
  rowFinder,
} from './rows-of-accounts.ts'
import type { TransactionRow } from './transaction.ts'

export type FindTransaction = FindRow<TransactionRow>

/** Look-ups that arrive together share one statement. */
export function transactionFinder(db: Db): FindTransaction {
  return rowFinder(transactionsIn(db))
}

function transactionsIn(db: Db): RowSource<TransactionRow> {
  return {
    select: (names) => selectTransactions(db, names),
    selectById: (ids) => selectTransactionsById(db, ids),
  }
}

/** By their names, in no order; what is not there is left out. */
export function findTransactions(db: Queryable, names: RowName[]): Promise<TransactionRow[]> {
  return selectTransactions(db, names)
}

/** The transaction with this id, if the caller may see it; else it does not exist. */
export async function getTransaction(
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
): Promise<TransactionRow> {
  const row = await findVisible(find, caller, readTransactionId(transaction_id))
  if (row === undefined) throw unknownTransaction()
  return row
}

/** The bare id; a text that cannot be one is an id that nobody has. */
export function readTransactionId(text: string): string {
  const id = findUuid('transaction', text)
  if (id === undefined) throw unknownTransaction()
  return id
}

export interface TransactionListQuery extends DatedQuery {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
}

export function listTransactions(
  db: Db,
  caller: Caller,
  query: TransactionListQuery,
): Promise<CursorPage<TransactionRow>> {
  const { status, type } = query
  return listRows(db, caller, query, {
    ...transactionsIn(db),
    kind: 'transaction',
    selectPage: (filter, range) => selectTransactionPage(db, { ...filter, status, type }, range),
  })
}
