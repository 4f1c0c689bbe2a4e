// Reading transactions by their ids.

import type { Db, Queryable } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import type { Caller } from '../sessions/caller.ts'
import { unknownTransaction } from './decide.ts'
import { type RowKey, selectTransactions, selectTransactionsById } from './queries.ts'
import { type FindRow, findVisible, rowFinder } from './rows-of-accounts.ts'
import type { TransactionRow } from './transaction.ts'

export type FindTransaction = FindRow<TransactionRow>

/** Look-ups that arrive together share one statement. */
export function transactionFinder(db: Db): FindTransaction {
  return rowFinder(db, {
    select: (names) => selectTransactions(db, names),
    selectById: (ids) => selectTransactionsById(db, ids),
  })
}

/** By their names, in no order; what is not there is left out. */
export function findTransactions(db: Queryable, names: RowKey[]): Promise<TransactionRow[]> {
  return selectTransactions(db, names)
}

/** For those who run the service, who name transactions without their account. */
export function findTransactionsById(db: Queryable, ids: string[]): Promise<TransactionRow[]> {
  return selectTransactionsById(db, ids)
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
