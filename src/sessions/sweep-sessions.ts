// Tokens and sessions that have expired or were revoked are invalid already; this only clears the
// tables.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import {
  deleteEndedSessions,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteTokensOfSessions,
  selectEndedSessions,
} from './queries.ts'

// Every renewal leaves a token that lives for an hour, and renewing costs no hash: a day without a
// worker can leave millions.
const tokens_at_once = 1_000

// They have no index by their end, and are few: each began with a password.
const sessions_at_once = 10_000

export async function sweepSessions(db: Db, signal?: AbortSignal): Promise<number> {
  const at = new Date()
  const tokens = await removeInSlices({
    limit: tokens_at_once,
    remove: (limit) => deleteExpiredTokens(db, at, limit),
    signal,
  })
  const sessions = await removeInSlices({
    limit: sessions_at_once,
    remove: (limit) => deleteExpiredSessions(db, at, limit),
    signal,
  })
  return tokens + sessions + (await sweepEndedSessions(db, signal))
}

/** What a revocation left behind. A session is forgotten only when it has no token any more. */
async function sweepEndedSessions(db: Db, signal?: AbortSignal): Promise<number> {
  for (let removed = 0; ; ) {
    const ids = (await selectEndedSessions(db, sessions_at_once)).map((row) => row.session_id)
    if (ids.length === 0) return removed
    removed += await removeInSlices({
      limit: tokens_at_once,
      remove: (limit) => deleteTokensOfSessions(db, ids, limit),
      signal,
    })
    if (signal?.aborted) return removed
    await deleteEndedSessions(db, ids)
  }
}
