// Deletes the rows of expired and revoked tokens and sessions, which are already invalid.

import { removeInSlices } from '../../jobs/in-slices.ts'
import type { Db } from '../../postgres/database.ts'
import {
  deleteEndedSessions,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteTokensOfSessions,
  selectEndedSessions,
} from './queries.ts'

// Every renewal leaves a token that is valid for an hour. Renewing needs no password hash, so a day
// without a worker can leave millions.
const tokens_at_once = 1_000

// Sessions have no index on their expiry. They are few, because each required a password.
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

/** Deletes tokens that a revocation left. A session's entry is deleted after its last token. */
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
