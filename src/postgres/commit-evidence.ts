// Evidence that a change was committed: see docs/decisions/0015-commit-outcome.md.

import { max_uuid, newRealTimeUuid } from '../primitives/ids.ts'
import { type Sql, sql } from './sql.ts'
import type { Queryable } from './statement-runner.ts'

/**
 * Runs in a later transaction. Waits until the change has ended, and returns whether it was
 * committed. Takes a lock or writes, so that its COMMIT waits for a synchronous standby.
 */
export type Evidence = (later: Queryable) => Promise<boolean>

/** A row that a change writes as its evidence. */
interface EvidenceRow {
  insert: Sql
  evidence: Evidence
}

/** In the shard of the account; changes outside of accounts share the greatest uuid. */
export function newEvidenceRow(account_id = max_uuid): EvidenceRow {
  const id = newRealTimeUuid(Date.now())
  return {
    insert: sql`
      insert into commit_evidence (account_id, id, committed)
      values (${account_id}, ${id}, true)`,
    evidence: (later) => wasCommitted(later, account_id, id),
  }
}

// Waits for a change that has inserted the key and not ended. If the key is absent, the row that is
// inserted here stays: a change that reaches the server later fails with a duplicate key. Checking
// twice finds that row, so it differs from the row of the change.
async function wasCommitted(later: Queryable, account_id: string, id: string): Promise<boolean> {
  const row = await later.row<{ committed: boolean }>(sql`
    insert into commit_evidence as stored (account_id, id, committed)
    values (${account_id}, ${id}, false)
    on conflict (account_id, id) do update
    set committed = stored.committed
    returning committed`)
  return row!.committed
}
