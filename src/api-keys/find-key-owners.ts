// Which ids are those of keys, and of which account: for those who only have an id.

import type { Queryable } from '../postgres/database.ts'
import { selectKeyOwners } from './queries.ts'

/** By id; null is a platform's key. */
export async function findKeyOwners(
  db: Queryable,
  ids: string[],
): Promise<Map<string, string | null>> {
  const rows = ids.length === 0 ? [] : await selectKeyOwners(db, ids)
  return new Map(rows.map(({ id, account_id }) => [id, account_id]))
}
