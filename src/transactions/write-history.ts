// Writes a working set with thousands of new transactions; the insert of the lanes is optimized for
// dozens.

import type { Tx } from '../postgres/database.ts'
import { sendManyInserts } from './queries.ts'
import { writeTransactions } from './run-batch.ts'
import type { WorkingSet } from './working-set.ts'

export function writeHistory(tx: Tx, set: WorkingSet): void {
  const inserted = set.inserted.splice(0)
  if (inserted.length > 0) sendManyInserts(tx, inserted)
  // The rest are updates to transactions that were written earlier.
  writeTransactions(tx, set)
}
