// Transactions that somebody should look at, by ids alone and cheaply: both statements walk only
// their own partition, in the order of its key.

import type { Queryable } from '../postgres/database.ts'
import { firstUuidAt, lastUuidAt, toTypeId } from '../primitives/ids.ts'
import { selectFailedSince, selectPendingBefore } from './queries.ts'

// What fails does so within days of its creation; older ones are not walked for the few that do
// not.
const failed_created_ms = 7 * 86_400_000

/** Failed since then, newest first. A later change of metadata counts as news of it too. */
export async function findFailedSince(
  db: Queryable,
  account_id: string,
  since: Date,
  limit: number,
): Promise<string[]> {
  const first_id = firstUuidAt(since.getTime() - failed_created_ms)
  const edge = { first_id, updated_at: since }
  return idsOf(await selectFailedSince(db, account_id, edge, limit))
}

/** Created by then and still pending, the longest waiting first. */
export async function findPendingSince(
  db: Queryable,
  account_id: string,
  by: Date,
  limit: number,
): Promise<string[]> {
  return idsOf(await selectPendingBefore(db, account_id, lastUuidAt(by.getTime()), limit))
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => toTypeId('transaction', id))
}
