// Reading one transaction.

import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import { findUuid } from '../primitives/ids.ts'
import { type Caller, runsService } from '../sessions/caller.ts'
import { findActingAccount } from '../users/acting-account.ts'
import { unknownTransaction } from './decide.ts'
import { type RowName, selectTransactions, selectTransactionsById } from './queries.ts'
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
