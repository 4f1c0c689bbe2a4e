// The request log is kept for seven days of real time: long enough to look at last week's fault,
// and short enough that what customers wrote does not pile up.

import type { Db } from '../postgres/database.ts'
import { nil_uuid } from '../primitives/difference.ts'
import { firstUuidAt } from '../primitives/ids.ts'
import { deleteOldEntries, selectOldestEntries } from './queries.ts'

const kept_ms = 7 * 86_400_000

// Short statements: a probe for each account, and never more than some ten thousand rows at once.
const accounts_at_once = 1_000
const entries_at_once = 10_000

/** With the signal it ends after the statement under way: what is left is left to the next. */
export async function sweepEntries(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - kept_ms)
  let swept = 0
  for (let after: string | undefined = nil_uuid; after !== undefined; ) {
    const oldest = await selectOldestEntries(db, after, accounts_at_once)
    const old = oldest.filter(({ entry_id }) => entry_id < before)
    const account_ids = old.map(({ account_id }) => account_id)
    swept += await sweepAccounts(db, account_ids, before, signal)
    if (signal?.aborted) break
    after = oldest.length < accounts_at_once ? undefined : oldest.at(-1)!.account_id
  }
  return swept
}

async function sweepAccounts(
  db: Db,
  account_ids: string[],
  before: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (account_ids.length === 0) return 0
  const each = Math.ceil(entries_at_once / account_ids.length)
  for (let swept = 0; ; ) {
    const count = await db.transaction((tx) => deleteOldEntries(tx, account_ids, before, each))
    swept += count
    if (count === 0 || signal?.aborted) return swept
  }
}
