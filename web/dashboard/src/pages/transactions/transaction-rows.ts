// A page of transactions with details the list endpoint lacks: refunds, customer, payment request.

import type { ListTransactionsQuery } from '../../../../../client/src/florin.ts'
import type { CursorList, ListedTransaction, TransactionDetails } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'

export type TransactionRow = ListedTransaction & Partial<TransactionDetails>

interface Options {
  signal: AbortSignal
  retries_max?: number
}

export async function listWithDetails(
  florin: Florin,
  query: ListTransactionsQuery,
  options: Options,
): Promise<CursorList<TransactionRow>> {
  const { data, has_more } = await florin.transactions.list(query, options)
  const details = await detailsOf(florin, data, options)
  return { data: data.map((row) => ({ ...row, ...details.get(row.id) })), has_more }
}

async function detailsOf(
  florin: Florin,
  rows: ListedTransaction[],
  options: Options,
): Promise<Map<string, TransactionDetails>> {
  if (rows.length === 0) return new Map()
  const transaction_ids = rows.map(({ id }) => id).join(',')
  const { data } = await florin.transactions.listDetails({ transaction_ids }, options)
  return new Map(data.map((one) => [one.transaction_id, one]))
}
