// The one row that stands for the whole service. Locking it makes rare, service-wide decisions wait
// for each other: who becomes the first admin, and that the last one stays.

import type { Queryable, Tx } from './database.ts'
import { sql } from './sql.ts'

export async function lockInstance(tx: Tx): Promise<void> {
  await tx.rows(sql`
    select mode
    from instance
    for update`)
}

/** For which mode this database was made; undefined while nobody has marked it. */
export async function findMode(db: Queryable): Promise<'sandbox' | 'live' | undefined> {
  const table = await db.row<{ is_made: boolean }>(sql`
    select to_regclass('instance') is not null as is_made`)
  if (!table!.is_made) return undefined
  const found = await db.row<{ mode: 'sandbox' | 'live' }>(sql`
    select mode
    from instance`)
  return found?.mode
}
