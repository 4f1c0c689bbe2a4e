// How many rows each statement deleted from a table, as the table itself tells.

import type pg from 'pg'

/** Only for a database of the test's own: it gets a trigger. */
export async function noteSlices(pool: pg.Pool, table: string): Promise<() => Promise<number[]>> {
  await pool.query(`
    create table ${table}_slices (at serial, rows integer);
    create function note_${table}() returns trigger language plpgsql as $$
      begin
        insert into ${table}_slices (rows) select count(*) from gone;
        return null;
      end $$;
    create trigger note_slices after delete on ${table} referencing old table as gone
      for each statement execute function note_${table}()`)
  return async () => {
    const text = `with all_of_them as (delete from ${table}_slices returning at, rows)
      select rows from all_of_them where rows > 0 order by at`
    const { rows } = await pool.query<{ rows: number }>(text)
    return rows.map((slice) => slice.rows)
  }
}
