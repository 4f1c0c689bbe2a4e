// Which ids are those of keys, and of which account: for those who only have an id.

import type { Queryable } from '../postgres/database.ts'
import { selectKeyPlaces } from './queries.ts'

/** By id; null is a platform's key. */
export async function findKeyPlaces(
  db: Queryable,
  ids: string[],
): Promise<Map<string, string | null>> {
  const rows = ids.length === 0 ? [] : await selectKeyPlaces(db, ids)
  return new Map(rows.map(({ id, account_id }) => [id, account_id]))
}
