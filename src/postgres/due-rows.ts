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

type DueSlots = DueLimits & { slots: number[]; excluded_ids: string[] }

/**
 * The longest due first within a slot. One statement reads all slots, in the order of the index. If
 * there are more rows than it may return, the first slots would hide the others: then each slot is
 * read separately. A lateral join over the slots would do both, but Citus rejects it.
 */
export async function selectDueRows<Row>(
  db: Queryable,
  rows: DueRows,
  due: DueSlots,
): Promise<Row[]> {
  const total = due.slots.length * due.limit
  const found = await selectSlots<Row>(db, rows, due, total)
  if (found.length < total || due.slots.length === 1) return found
  const by_slot: Row[] = []
  for (const slot of due.slots) {
    by_slot.push(...(await selectSlots<Row>(db, rows, { ...due, slots: [slot] }, due.limit)))
  }
  return by_slot
}

function selectSlots<Row>(
  db: Queryable,
  { columns, source, at }: DueRows,
  due: DueSlots,
  limit: number,
): Promise<Row[]> {
  return db.rows(sql`
    select ${columns}
    ${source}
      ${isDue(at, digitsOf(due.slots), due)}
      and id <> all(${due.excluded_ids}::uuid[])
    order by ${slot_of_row}, ${at}
    limit ${limit}`)
}

/** Counts up to sixteen times the limit. */
export async function countDueRows(
  db: Queryable,
  { source, at }: DueRows,
  due: DueLimits,
): Promise<number> {
  const counted = await db.row<{ n: number }>(sql`
    select count(*) as n
    from (
      select 1
      ${source}
        ${isDue(at, all_digits, due)}
      order by ${slot_of_row}, ${at}
      limit ${all_digits.length * due.limit}) as due`)
  return counted!.n
}

const slot_of_row = sql`right(account_id::text, 1)`

// The order is that of the index, so the planner reads no other rows: it expects a third of the
// table to be due, and would otherwise scan all of it.
function isDue(at: Sql, digits: string[], { by, except_account_ids = [] }: DueLimits): Sql {
  return sql`and ${slot_of_row} = any(${digits}::text[])
        and ${at} <= ${by}
        and account_id <> all(${except_account_ids}::uuid[])`
}

function digitsOf(slots: number[]): string[] {
  return slots.map((slot) => slot.toString(16))
}

const all_digits = [...'0123456789abcdef']
