// Imports the operator's balance at payment providers, and settles the entries of bank statements
// that show its settlements.

import { settleOpenEntries } from '../bank-statements/reconcile-entries.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import type { Db } from '../postgres/database.ts'
import type { Provider } from '../processors/provider.ts'
import { importBalance } from '../settlements/import-balance.ts'
import { listUnseenAmounts, settleBankEntry } from '../settlements/settle-bank-entry.ts'

/** Returns the number of changes. The bank may show a settlement before the provider lists it. */
export async function importAndMatch(
  db: Db,
  provider: Provider,
  signal?: AbortSignal,
): Promise<number> {
  const imported = await importBalance(db, provider, signal)
  return imported + (await settleOpenEntries(db, await listUnseenAmounts(db), settleBankEntry))
}

/** The worker's job. A provider that fails does not delay the others. */
export async function importBalances(
  parts: { db: Db; providers: Provider[]; report(error: unknown, provider: Provider): void },
  { signal }: JobContext,
): Promise<JobResult> {
  let done = 0
  for (const provider of parts.providers) {
    if (signal.aborted) break
    try {
      done += await importAndMatch(parts.db, provider, signal)
    } catch (error) {
      parts.report(error, provider)
    }
  }
  return { done, more: false }
}
