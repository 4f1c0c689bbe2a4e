// Finds which ids belong to API keys, and the account of each key.

import type { Queryable } from '../../postgres/database.ts'
import { selectKeyOwners } from './queries.ts'

/** The account by key id; null for a platform key. */
export async function findKeyOwners(
  db: Queryable,
  ids: string[],
): Promise<Map<string, string | null>> {
  const rows = ids.length === 0 ? [] : await selectKeyOwners(db, ids)
  return new Map(rows.map(({ id, account_id }) => [id, account_id]))
}
