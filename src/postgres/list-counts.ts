// Exact totals of lists, stored as counters and updated in the database transaction of each change.

import type { Queryable, Tx } from './database.ts'
import { sql } from './sql.ts'

export interface CountChange {
  list: 'accounts' | 'users'
  status: string
  /** Empty for lists without types. */
  type: string
  /** The id of the row; its last digit selects the slot. */
  id: string
  by: 1 | -1
}

/**
 * A database transaction locks counters last, and in one order (list, status, type, slot), which
 * prevents deadlocks.
 */
export async function changeCounts(tx: Tx, changes: CountChange[]): Promise<void> {
  const rows = changes.map((change) => ({
    ...change,
    slot: Number.parseInt(change.id.at(-1)!, 16),
  }))
  await tx.count(sql`
    insert into list_counts (list, status, type, slot, n)
    select list, status, type, slot, sum(by)
    from json_to_recordset(${JSON.stringify(rows)})
      as change (list text, status text, type text, slot smallint, by int)
    group by list, status, type, slot
    order by list, status, type, slot
    on conflict (list, status, type, slot) do update
    set n = list_counts.n + excluded.n`)
}

export async function countList(
  db: Queryable,
  list: CountChange['list'],
  filter: { status?: string | undefined; type?: string | undefined },
): Promise<number> {
  const found = await db.row<{ total: number }>(sql`
    select coalesce(sum(n), 0)::bigint as total
    from list_counts
    where list = ${list}
      and (${filter.status ?? null}::text is null or status = ${filter.status ?? null})
      and (${filter.type ?? null}::text is null or type = ${filter.type ?? null})`)
  return found!.total
}

export interface StoredCount {
  list: CountChange['list']
  status: string
  type: string
  n: number
}

/** Every counter, summed over its slots. */
export async function listStoredCounts(db: Queryable): Promise<StoredCount[]> {
  return db.rows(sql`
    select list, status, type, sum(n)::bigint as n
    from list_counts
    group by list, status, type`)
}
