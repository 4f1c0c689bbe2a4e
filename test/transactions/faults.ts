// Fault injection: a trigger in the test's database that fails the insert of a transaction with the
// SQLSTATE in its reference. A sequence counts the attempts, because it is never rolled back.

import type pg from 'pg'

export async function installFaults(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create sequence faults;
    create function fail_on_demand() returns trigger language plpgsql as $$
    begin
      if nextval('faults') <= split_part(new.reference, ' ', 3)::int then
        raise exception 'on demand' using errcode = split_part(new.reference, ' ', 2);
      end if;
      return null;
    end $$;
    create trigger fail_at_once after insert on transactions for each row
      when (new.reference like 'fail %') execute function fail_on_demand();
    create constraint trigger fail_at_commit after insert on transactions_pending
      deferrable initially deferred for each row
      when (new.reference like 'late %') execute function fail_on_demand();`)
}

/** A reference whose insert fails `times` times with this SQLSTATE; `late` fails at COMMIT. */
export function failing(state: string, times = 1_000, when: 'fail' | 'late' = 'fail'): string {
  return `${when} ${state} ${times}`
}

/** The number of inserts of such references; resets the counter. */
export async function countFaults(pool: pg.Pool): Promise<number> {
  const counted = await pool.query('select last_value, is_called from faults')
  await pool.query("select setval('faults', 1, false)")
  return counted.rows[0].is_called ? Number(counted.rows[0].last_value) : 0
}
