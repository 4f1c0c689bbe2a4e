// Deletes events after 90 days of real time: a sandbox whose clock jumps a year must not lose
// events that have not been read yet. Business time is never behind real time, so an event is at
// least as old in real time as its timestamp indicates.

import type { Db } from '../postgres/database.ts'
import { nil_uuid } from '../primitives/ids.ts'
import { deleteOldEvents, selectOldestEvents } from './queries.ts'
import { event_retention_ms } from './verify-events.ts'

// Short statements: one probe per account, and about 10,000 rows at most.
const accounts_per_page = 1_000
const events_per_statement = 10_000

/** An abort ends it after the current statement; the next round deletes the rest. */
export function sweepEvents(db: Db, signal?: AbortSignal): Promise<number> {
  return pruneEvents(db, new Date(Date.now() - event_retention_ms), signal)
}

export async function pruneEvents(db: Db, before: Date, signal?: AbortSignal): Promise<number> {
  let pruned = 0
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const oldest = await selectOldestEvents(db, after, accounts_per_page)
    const old = oldest.filter(({ at }) => at < before).map(({ account_id }) => account_id)
    pruned += await pruneAccounts(db, old, before, signal)
    if (signal?.aborted) break
    after = oldest.length < accounts_per_page ? undefined : oldest.at(-1)!.account_id
  }
  return pruned
}

async function pruneAccounts(
  db: Db,
  account_ids: string[],
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (account_ids.length === 0) return 0
  const limit = Math.ceil(events_per_statement / account_ids.length)
  for (let pruned = 0; ; ) {
    const count = await db.transaction((tx) => deleteOldEvents(tx, account_ids, before, limit))
    pruned += count
    if (count === 0 || signal?.aborted) return pruned
  }
}
