import type { Caller } from '../identity/caller.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import type { AddressReplacement } from '../postgres/replace-text.ts'
import type { SearchedRows, TextQuery } from '../postgres/search-newest.ts'
import { findUuid } from '../primitives/ids.ts'
import { loadAndApplyClosings } from './apply-closings.ts'
import {
  eraseTransactionTexts,
  searchTransactionRows,
  selectTransactions,
  selectTransactionsById,
} from './queries.ts'
import { type FindRow, findVisible, rowFinder } from './rows-of-accounts.ts'
import type { TransactionRow } from './transaction.ts'
import { unknownTransaction } from './transaction-set.ts'

export type FindTransaction = FindRow<TransactionRow>

/** Concurrent lookups share one statement. */
export function transactionFinder(db: Db): FindTransaction {
  return rowFinder(db, {
    select: (names) => selectTransactions(db, names),
    selectById: (ids) => selectTransactionsById(db, ids),
  })
}

/** In no order; transactions that do not exist are left out. */
export function findTransactions(db: Queryable, names: RowKey[]): Promise<TransactionRow[]> {
  return selectTransactions(db, names)
}

/** For admins and platforms, who identify transactions without their account. */
export function findTransactionsById(db: Queryable, ids: string[]): Promise<TransactionRow[]> {
  return selectTransactionsById(db, ids)
}

/** Throws not_found unless the transaction exists and the caller has access to it. */
export async function getTransaction(
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
): Promise<TransactionRow> {
  const row = await findVisible(find, caller, readTransactionId(transaction_id))
  if (row === undefined) throw unknownTransaction()
  return row
}

/** The UUID in a transaction id. Malformed ids are reported as unknown. */
export function readTransactionId(text: string): string {
  const id = findUuid('transaction', text)
  if (id === undefined) throw unknownTransaction()
  return id
}

/** The newest transactions that match, as the API shows them. */
export async function searchTransactions(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<TransactionRow>> {
  const found = await searchTransactionRows(db, account_id, query)
  return { ...found, rows: await loadAndApplyClosings(db, found.rows) }
}

/** Part of erasing a customer: the texts of these payments and of their refunds. */
export async function eraseCustomerTexts(
  tx: Tx,
  payment_ids: string[],
  replacement: AddressReplacement,
): Promise<void> {
  if (payment_ids.length > 0) await eraseTransactionTexts(tx, payment_ids, replacement)
}
