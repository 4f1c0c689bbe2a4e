// How many rows each statement deleted from a table, or changed, as the table itself tells.

import type pg from 'pg'

/** Only for a database of the test's own: it gets a trigger. */
export async function recordSlices(
  pool: pg.Pool,
  table: string,
  of: 'delete' | 'update' = 'delete',
): Promise<() => Promise<number[]>> {
  const name = `${table}_${of}_slices`
  await pool.query(`
    create table ${name} (at serial, rows integer);
    create function note_${name}() returns trigger language plpgsql as $$
      begin
        insert into ${name} (rows) select count(*) from gone;
        return null;
      end $$;
    create trigger note_${name} after ${of} on ${table} referencing old table as gone
      for each statement execute function note_${name}()`)
  return async () => {
    const text = `with all_of_them as (delete from ${name} returning at, rows)
      select rows from all_of_them where rows > 0 order by at`
    const { rows } = await pool.query<{ rows: number }>(text)
    return rows.map((slice) => slice.rows)
  }
}
