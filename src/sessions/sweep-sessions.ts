// Tokens and sessions that have run out are dead already; this only clears the tables.

import type { Db } from '../postgres/database.ts'
import { deleteExpired } from './queries.ts'

export async function sweepSessions(db: Db): Promise<number> {
  return db.transaction((tx) => deleteExpired(tx, new Date()))
}
