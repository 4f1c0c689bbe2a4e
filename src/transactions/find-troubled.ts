// Transactions that somebody should look at, by ids alone and cheaply: the statements walk only
// their own partition, in the order of its key.

import { isClosed } from '../ledger/closings.ts'
import { findEndedSince } from '../ledger/find-ended.ts'
import type { Queryable } from '../postgres/database.ts'
import { firstUuidAt, lastUuidAt, toTypeId } from '../primitives/ids.ts'
import { selectFailedSince, selectPendingBefore } from './queries.ts'

// What fails does so within days of its creation; older ones are not walked for the few that do
// not.
const failed_created_ms = 7 * 86_400_000

/**
 * Failed since then, newest first. What was created since then has failed since then. What is older
 * and was changed since then may only have been given other metadata: when it failed, the posting
 * says that gave its money back.
 */
export async function findFailedSince(
  db: Queryable,
  account_id: string,
  since: Date,
  limit: number,
): Promise<string[]> {
  const middle_id = firstUuidAt(since.getTime())
  const created_since = { first_id: middle_id, before_id: greatest_id, updated_at: since }
  const young = await selectFailedSince(db, account_id, created_since, limit)
  if (young.length === limit) return idsOf(young)
  const first_id = firstUuidAt(since.getTime() - failed_created_ms)
  const created_before = { first_id, before_id: middle_id, updated_at: since }
  const changed = await selectFailedSince(db, account_id, created_before, limit)
  const ended = await findEndedSince(db, account_id, since, changed)
  const old = changed.filter(({ id }) => ended.has(id))
  return idsOf([...young, ...old].slice(0, limit))
}

const greatest_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Created by then and still pending, the longest waiting first. */
export async function findPendingSince(
  db: Queryable,
  account_id: string,
  by: Date,
  limit: number,
): Promise<string[]> {
  const rows = await selectPendingBefore(db, account_id, lastUuidAt(by.getTime()), limit)
  return rows.length > 0 && (await isClosed(db, account_id)) ? [] : idsOf(rows)
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => toTypeId('transaction', id))
}
