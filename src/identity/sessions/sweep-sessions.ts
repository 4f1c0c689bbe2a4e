// Deletes the rows of expired and revoked tokens and sessions, which are already invalid.

import type { Db } from '../../postgres/database.ts'
import { inSlices, type Sweep, sweepRows } from '../../postgres/sweep.ts'
import {
  deleteEndedSessions,
  deleteTokensOfSessions,
  expired_sessions,
  expired_tokens,
  selectEndedSessions,
} from './queries.ts'

export const sweepSessions: Sweep = async (db, signal) => {
  const expired = await sweepRows(db, [expired_tokens, expired_sessions], signal)
  return expired + (await sweepEndedSessions(db, signal))
}

const sessions_max = 10_000
const tokens_max = 1_000

/** Deletes tokens that a revocation left. A session's entry is deleted after its last token. */
async function sweepEndedSessions(db: Db, signal?: AbortSignal): Promise<number> {
  for (let removed = 0; ; ) {
    const ids = (await selectEndedSessions(db, sessions_max)).map((row) => row.session_id)
    if (ids.length === 0) return removed
    removed += await inSlices(tokens_max, signal, (limit) => deleteTokensOfSessions(db, ids, limit))
    if (signal?.aborted) return removed
    await deleteEndedSessions(db, ids)
  }
}
