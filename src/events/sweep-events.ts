// Events are kept for 90 days. Days of real time: a sandbox whose clock jumps a year must not lose
// what nobody has read yet. Business time never falls behind real time, so an event that is old by
// its own time is at least as old by the clock on the wall.

import type { Db } from '../postgres/database.ts'
import { nil_uuid } from '../primitives/difference.ts'
import { deleteOldEvents, selectOldestEvents } from './queries.ts'
import { event_retention_ms } from './verify-events.ts'

// Short statements: a probe for each account, and never more than some ten thousand rows at once.
const accounts_at_once = 1_000
const events_at_once = 10_000

/** With the signal it ends after the statement under way: what is left is left to the next. */
export function sweepEvents(db: Db, signal?: AbortSignal): Promise<number> {
  return pruneEvents(db, new Date(Date.now() - event_retention_ms), signal)
}

export async function pruneEvents(db: Db, before: Date, signal?: AbortSignal): Promise<number> {
  let pruned = 0
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const oldest = await selectOldestEvents(db, after, accounts_at_once)
    const old = oldest.filter(({ at }) => at < before).map(({ account_id }) => account_id)
    pruned += await pruneAccounts(db, old, before, signal)
    if (signal?.aborted) break
    after = oldest.length < accounts_at_once ? undefined : oldest.at(-1)!.account_id
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
  const each = Math.ceil(events_at_once / account_ids.length)
  for (let pruned = 0; ; ) {
    const count = await db.transaction((tx) => deleteOldEvents(tx, account_ids, before, each))
    pruned += count
    if (count === 0 || signal?.aborted) return pruned
  }
}
