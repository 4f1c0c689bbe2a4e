// GET /v1/transactions/{id}/postings: the postings of a transaction's status changes, oldest first.

import type { Caller } from '../identity/caller.ts'
import { findPostingsOf } from '../ledger/find-postings.ts'
import { type Bucket, movements } from '../ledger/posting-rules.ts'
import type { Db } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { type FindTransaction, getTransaction } from './find-transaction.ts'

interface PostingView {
  sequence: number
  from: Bucket
  to: Bucket
  amount: number
  available_after: number
  created_at: string
}

const search_advice = 'The search covers too many postings right now. Retry in a few seconds.'

export async function listPostings(
  db: Db,
  find: FindTransaction,
  caller: Caller,
  transaction_id: string,
): Promise<CursorPage<PostingView>> {
  const row = await getTransaction(find, caller, transaction_id)
  const lookup = {
    account_id: row.account_id,
    transaction_id: row.id,
    created_at: timeOfUuid(row.id),
    updated_at: row.updated_at,
    count: row.status === 'pending' ? 1 : 2,
  }
  const postings = await runQueuedSearch(db, row.account_id, search_advice, (tx) =>
    findPostingsOf(tx, lookup),
  )
  const data = postings.map(({ sequence, movement, amount, available_after, at }) => ({
    sequence,
    ...movements[movement],
    amount,
    available_after,
    created_at: toIso(at),
  }))
  // A transaction has at most two postings, so there is never another page.
  return { object: 'list', data, has_more: false }
}
