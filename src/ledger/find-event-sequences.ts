import type { Queryable } from '../postgres/database.ts'
import { selectEventSequences } from './queries.ts'

/** The number of the last event of each account, read without a lock. */
export async function findEventSequences(
  db: Queryable,
  account_ids: string[],
): Promise<Map<string, number>> {
  if (account_ids.length === 0) return new Map()
  const rows = await selectEventSequences(db, account_ids)
  return new Map(rows.map((row) => [row.account_id, row.event_sequence]))
}
