// Records how many rows each statement deleted from a table, or updated, with a trigger.

import type pg from 'pg'

/** Use it only on a database that belongs to the test, because it adds a trigger. */
export async function recordSlices(
  pool: pg.Pool,
  table: string,
  of: 'delete' | 'update' = 'delete',
): Promise<() => Promise<number[]>> {
  const name = `${table}_${of}_slices`
  await pool.query(`
    create table ${name} (at serial, rows integer);
    create function record_${name}() returns trigger language plpgsql as $$
      begin
        insert into ${name} (rows) select count(*) from gone;
        return null;
      end $$;
    create trigger record_${name} after ${of} on ${table} referencing old table as gone
      for each statement execute function record_${name}()`)
  return async () => {
    const text = `with slices as (delete from ${name} returning at, rows)
      select rows from slices where rows > 0 order by at`
    const { rows } = await pool.query<{ rows: number }>(text)
    return rows.map((slice) => slice.rows)
  }
}
