// Answers are kept for 30 days; this clears the table of older ones.

import type { Db } from '../postgres/database.ts'
import { deleteOldKept } from './queries.ts'

export async function sweepKept(db: Db): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  return db.transaction((tx) => deleteOldKept(tx, today))
}
