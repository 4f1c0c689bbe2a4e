// Deletes request log entries after seven days of real time: long enough to debug last week's
// failure, and short enough not to accumulate personal data.

import type { Db } from '../postgres/database.ts'
import { firstUuidAt, nil_uuid } from '../primitives/ids.ts'
import { deleteOldEntries, selectOldestEntries } from './queries.ts'

const retention_ms = 7 * 86_400_000

// Keeps statements short: one probe per account, and about ten thousand rows at most.
const accounts_at_once = 1_000
const entries_at_once = 10_000

/** On abort, ends after the current statement. The next sweep continues. */
export async function sweepEntries(db: Db, signal?: AbortSignal): Promise<number> {
  const before = firstUuidAt(Date.now() - retention_ms)
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
