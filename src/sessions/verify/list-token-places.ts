// All tokens of sessions, a page at a time, for whoever checks them.

import type { Queryable } from '../../postgres/database.ts'
import { selectTokenPlaces, type TokenPlace } from './queries.ts'

export type { TokenPlace } from './queries.ts'

export async function* listTokenPlaces(
  db: Queryable,
  limit: number,
): AsyncGenerator<TokenPlace[], void> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const tokens = await selectTokenPlaces(db, after, limit)
    if (tokens.length > 0) yield tokens
    if (tokens.length < limit) return
    after = tokens.at(-1)!.token_hash
  }
}
