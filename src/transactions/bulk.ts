// Many transactions of one account in one request: its commands and its response.

import type { Caller } from '../identity/caller.ts'
import { wholeRefusal } from '../lanes/decide-bulk.ts'
import type { BulkItem } from '../lanes/lane-entry.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Processor } from '../processors/processor.ts'
import { chooseAccount, commandOf, type ItemInput } from './commands.ts'
import type { CreateCommand } from './decide.ts'
import { metadataText } from './metadata.ts'
import { listedJson, type TransactionRow } from './transaction.ts'

interface BulkInput {
  account_id: string
  transactions: ItemInput[]
}

/** The list in the request body. */
export const bulk_field = 'transactions'

export function bulkCommands(
  caller: Caller,
  { account_id, transactions }: BulkInput,
  processor: Processor,
): CreateCommand[] {
  // As for a single transaction, errors in the body are reported before those of the account.
  const metadata = transactions.map(metadataOf)
  const account = chooseAccount(caller, account_id)
  return transactions.map((item, at) => commandOf(account, item, metadata[at] ?? null, processor))
}

function metadataOf({ metadata }: ItemInput, at: number): string | null {
  try {
    return metadataText(metadata)
  } catch (error) {
    throw error instanceof Refusal ? wholeRefusal(error, `${bulk_field}.${at}`) : error
  }
}

export function bulkJson(items: BulkItem<TransactionRow>[]): string {
  const created = items.reduce((sum, item) => sum + ('row' in item ? 1 : 0), 0)
  const failed = items.length - created
  const data = items.map(itemJson).join(',')
  return `{"object":"bulk_result","created":${created},"failed":${failed},"data":[${data}]}`
}

function itemJson(item: BulkItem<TransactionRow>): string {
  if ('row' in item) return `{"result":"created","transaction":${listedJson(item.row)}}`
  const { code, message } = item.refusal
  return `{"result":"failed","error":${JSON.stringify({ error: code, message })}}`
}
