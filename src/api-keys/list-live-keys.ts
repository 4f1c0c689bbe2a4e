// All keys that should open a door, a page at a time, for whoever checks them.

import type { Queryable } from '../postgres/database.ts'
import { first_uuid } from '../primitives/difference.ts'
import type { KeyRow } from './api-key.ts'
import { selectLiveKeysAfter } from './queries.ts'

export async function* listLiveKeys(db: Queryable, limit: number): AsyncGenerator<KeyRow[], void> {
  for (let after = first_uuid; ; ) {
    const keys = await selectLiveKeysAfter(db, after, limit)
    if (keys.length > 0) yield keys
    if (keys.length < limit) return
    after = keys.at(-1)!.id
  }
}
