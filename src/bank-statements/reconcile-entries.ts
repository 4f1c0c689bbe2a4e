// What reconciliation reads from bank statements. Settles open entries by what became known after
// they were imported, such as the settlement of a provider that is listed later.

import type { Db, Tx } from '../postgres/database.ts'
import type { EntryRow } from './bank-entry.ts'
import { lockEntry, updateEntry } from './queries.ts'
import { selectOpenEntryIds, type WantedAmount } from './reconcile-queries.ts'

export {
  type PayingEntry,
  selectGaps as listGaps,
  selectPayingEntries as listPayingEntries,
} from './queries.ts'
export {
  existStatements as hasStatements,
  type OpenEntry,
  type SettledEntry,
  type StatementCoverage,
  selectCoverage as findCoverage,
  selectNow as findNow,
  selectOpenEntries as listOpenEntries,
  selectOpenSums as sumOpenEntries,
  selectSettledEntries as listSettledEntries,
} from './reconcile-queries.ts'

/** Returns the number of entries that are settled now. */
export async function settleOpenEntries(
  db: Db,
  amounts: WantedAmount[],
  settler: (tx: Tx, entry: EntryRow) => Promise<string | undefined>,
): Promise<number> {
  if (amounts.length === 0) return 0
  let settled = 0
  for (const id of await selectOpenEntryIds(db, amounts)) {
    const is_settled = await db.transaction(async (tx) => {
      const entry = await lockEntry(tx, id)
      if (entry?.status !== 'open') return false
      const settles = await settler(tx, entry)
      if (settles === undefined) return false
      return (await updateEntry(tx, entry, { status: 'settled', settles })) !== undefined
    })
    if (is_settled) settled += 1
  }
  return settled
}
