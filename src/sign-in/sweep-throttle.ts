// Failures and known addresses whose time is over count no more; this only clears the tables.

import type { Db } from '../postgres/database.ts'
import { deleteForgotten } from './queries.ts'

export async function sweepThrottle(db: Db): Promise<number> {
  return db.transaction((tx) => deleteForgotten(tx, new Date()))
}
