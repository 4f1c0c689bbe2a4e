// The single row that represents the whole service. Locking it serializes rare, service-wide
// decisions: creating the first admin, and keeping the last one.

import type { Queryable, Tx } from './database.ts'
import { sql } from './sql.ts'

export async function lockInstance(tx: Tx): Promise<void> {
  await tx.rows(sql`
    select mode
    from instance
    for update`)
}

/** The mode of this database; undefined before its first start. */
export async function findMode(db: Queryable): Promise<'sandbox' | 'live' | undefined> {
  const table = await db.row<{ is_made: boolean }>(sql`
    select to_regclass('instance') is not null as is_made`)
  if (!table!.is_made) return undefined
  const found = await db.row<{ mode: 'sandbox' | 'live' }>(sql`
    select mode
    from instance`)
  return found?.mode
}

/** When this database got two-factor authentication. */
export async function readFactorsSince(db: Queryable): Promise<Date> {
  const found = await db.row<{ factors_since: Date }>(sql`
    select factors_since
    from instance`)
  return found?.factors_since ?? new Date()
}

/** The key of the hashes that replace erased addresses. Created by the first erasure. */
export async function getErasureKey(db: Queryable, fresh: Buffer): Promise<Buffer> {
  const found = await db.row<{ erasure_key: Buffer }>(sql`
    update instance
    set erasure_key = coalesce(erasure_key, ${fresh})
    returning erasure_key`)
  return found!.erasure_key
}
