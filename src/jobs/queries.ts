import type { Db, Queryable } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { nil_uuid } from '../primitives/ids.ts'

export interface LeaseKey {
  name: string
  slot: number
}

// Takes leases that have expired or are already held by this worker. One statement decides, so each
// lease has one holder. All workers lock rows in the same order, which prevents deadlocks.
// Only the clock of the database counts: clocks of two machines may differ by more than a lease.
//
// If that clock is set back, the leases of a worker that died before would last as long as the
// step. No lease is taken for longer than for_ms, so one that ends much later is stale. The limit
// is twice for_ms, because now() of a statement that waited for a lock is earlier than now() of
// the statement that held it.
export async function takeLeases(
  db: Db,
  wanted: LeaseKey[],
  hold: { holder: string; for_ms: number },
): Promise<LeaseKey[]> {
  return db.rows(sql`
    with free as materialized (
      select name, slot
      from leases
      where (name, slot) in (
          select name, slot
          from json_to_recordset(${JSON.stringify(wanted)}) as it (name text, slot smallint))
        and (held_until < now()
          or held_until > now() + 2 * ${hold.for_ms} * interval '1 millisecond'
          or holder = ${hold.holder})
      order by name, slot
      for update
    )
    update leases
    set holder = ${hold.holder}, held_until = now() + ${hold.for_ms} * interval '1 millisecond'
    from free
    where leases.name = free.name and leases.slot = free.slot
    returning leases.name, leases.slot`)
}

/** Adds leases that have never been taken, as expired ones. Returns how many were missing. */
export async function insertLeases(db: Db, keys: LeaseKey[]): Promise<number> {
  return db.count(sql`
    insert into leases (name, slot, holder, held_until)
    select name, slot, ${nil_uuid}, now() - interval '1 second'
    from json_to_recordset(${JSON.stringify(keys)}) as it (name text, slot smallint)
    order by name, slot
    on conflict (name, slot) do nothing`)
}

export async function selectHeldLeases(
  db: Queryable,
  names: string[],
  for_ms: number,
): Promise<(LeaseKey & { holder: string })[]> {
  return db.rows(sql`
    select name, slot, holder
    from leases
    where name = any(${names}::text[])
      and held_until > now()
      and held_until <= now() + 2 * ${for_ms} * interval '1 millisecond'
    order by name, slot`)
}

/** Releases all leases of a holder except those in `keep`. */
export async function releaseLeasesExcept(db: Db, holder: string, keep: LeaseKey[]): Promise<void> {
  // Locks in the same order as takeLeases, which prevents deadlocks.
  await db.count(sql`
    with unwanted as materialized (
      select name, slot
      from leases
      where holder = ${holder}
        and (name, slot) not in (
          select name, slot
          from json_to_recordset(${JSON.stringify(keep)}) as it (name text, slot smallint))
      order by name, slot
      for update
    )
    delete from leases
    using unwanted
    where leases.name = unwanted.name and leases.slot = unwanted.slot`)
}

interface JobLease {
  name: string
  slots: number
  held_until: Date
  is_held: boolean
}

/**
 * Every job that has ever had a lease, by name. Ignores stale leases from before the clock was set
 * back, whose time is meaningless.
 */
export async function selectJobLeases(db: Queryable, for_ms: number): Promise<JobLease[]> {
  return db.rows(sql`
    select name, count(*) filter (where held_until > now()) as slots,
      max(held_until) as held_until, bool_or(held_until > now()) as is_held
    from leases
    where held_until <= now() + 2 * ${for_ms} * interval '1 millisecond'
    group by name
    order by name`)
}
