// Rows that are due, found by slot: the last hex digit of their account id. See jobs/due-work.ts.

import type { Queryable } from './database.ts'
import { type Sql, sql } from './sql.ts'

interface DueRows {
  columns: Sql
  /** FROM and WHERE, such as `from transactions where status = 'pending'`. */
  source: Sql
  /** The column with the time. The table has an index on the slot and this column. */
  at: Sql
}

interface DueLimits {
  by: Date
  /** Per slot. */
  limit: number
  except_account_ids?: string[]
}

/** The longest due first within a slot. */
export function selectDueRows<Row>(
  db: Queryable,
  { columns, source, at }: DueRows,
  due: DueLimits & { slots: number[]; excluded_ids: string[] },
): Promise<Row[]> {
  return db.rows(sql`
    select due.*
    from unnest(${due.slots.map((slot) => slot.toString(16))}::text[]) as it (slot)
    cross join lateral (
      select ${columns}
      ${source}
        ${isDue(at, due)}
        and id <> all(${due.excluded_ids}::uuid[])
      order by ${at}
      limit ${due.limit}) as due`)
}

export async function countDueRows(
  db: Queryable,
  { source, at }: DueRows,
  due: DueLimits,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from unnest(${slots}::text[]) as it (slot)
    cross join lateral (
      select 1
      ${source}
        ${isDue(at, due)}
      limit ${due.limit}) as due`)
  return counted!.n
}

function isDue(at: Sql, { by, except_account_ids = [] }: DueLimits): Sql {
  return sql`and right(account_id::text, 1) = it.slot
        and ${at} <= ${by}
        and account_id <> all(${except_account_ids}::uuid[])`
}

const slots = [...'0123456789abcdef']
