// All tokens of sessions in pages, for verification.

import type { Queryable } from '../../../postgres/database.ts'
import { selectTokensWithSessions, type TokenWithSession } from './queries.ts'

export type { TokenWithSession } from './queries.ts'

export async function* listTokensWithSessions(
  db: Queryable,
  limit: number,
): AsyncGenerator<TokenWithSession[], void> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const tokens = await selectTokensWithSessions(db, after, limit)
    if (tokens.length > 0) yield tokens
    if (tokens.length < limit) return
    after = tokens.at(-1)!.token_hash
  }
}
