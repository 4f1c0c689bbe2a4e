// Writes a working set of thousands of new transactions; the statement of the lanes is made for
// dozens.

import type { Tx } from '../postgres/database.ts'
import { sendManyInserts } from './queries.ts'
import { writeTransactions } from './run-batch.ts'
import type { WorkingSet } from './working-set.ts'

export function writeHistory(tx: Tx, set: WorkingSet): void {
  const inserted = set.inserted.splice(0)
  if (inserted.length > 0) sendManyInserts(tx, inserted)
  // What is left are the few that were written before and have ended since.
  writeTransactions(tx, set)
}
