import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'

export interface ThrottleKey {
  key_hash: Buffer
  failures_max: number
  window_ms: number
}

export async function selectFailureCounts(
  db: Queryable,
  keys: ThrottleKey[],
  at: Date,
): Promise<{ key_hash: Buffer; failures: number; oldest: Date | null }[]> {
  return db.rows(sql`
    select key_hash, count(moment)::int as failures, min(moment) as oldest
    from login_failures
    join json_to_recordset(${asRecords(keys, at)}) as key (hash text, since timestamptz)
      on login_failures.key_hash = decode(key.hash, 'hex')
    left join unnest(failed_at) as moment on moment > key.since
    group by key_hash`)
}

// Counts and adds in one statement under the row lock, so that concurrent failures cannot exceed
// the limit. A key that has reached its limit is not counted in the result. The rows are inserted
// before, because Citus rejects subqueries after a conflict, and locked in one order.
export async function addFailure(tx: Tx, keys: ThrottleKey[], at: Date): Promise<number> {
  const hashes = keys.map(({ key_hash }) => key_hash)
  await tx.count(sql`
    insert into login_failures (key_hash, failed_at, retain_until)
    select decode(hash, 'hex'), '{}', until
    from json_to_recordset(${asRecords(keys, at)}) as key (hash text, until timestamptz)
    order by hash
    on conflict (key_hash) do nothing`)
  await tx.rows(sql`
    select 1
    from login_failures
    where key_hash = any(${hashes}::bytea[])
    order by key_hash
    for update`)
  return tx.count(sql`
    update login_failures
    set failed_at = array(
        select moment
        from unnest(failed_at) as moment
        where moment > key.since
      ) || ${at}::timestamptz,
      retain_until = key.until
    from json_to_recordset(${asRecords(keys, at)}) as key (
      hash text, since timestamptz, until timestamptz, most int)
    where key_hash = decode(key.hash, 'hex')
      and (
        select count(*)
        from unnest(failed_at) as moment
        where moment > key.since
      ) < key.most`)
}

function asRecords(keys: ThrottleKey[], at: Date): string {
  return JSON.stringify(
    keys.map((key) => ({
      hash: key.key_hash.toString('hex'),
      since: new Date(at.getTime() - key.window_ms),
      until: new Date(at.getTime() + key.window_ms),
      most: key.failures_max,
    })),
  )
}

export async function deleteFailures(tx: Tx, key_hash: Buffer): Promise<void> {
  await tx.count(sql`
    delete from login_failures
    where key_hash = ${key_hash}`)
}

export async function isKnownAddress(db: Queryable, key_hash: Buffer, at: Date): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from login_addresses
    where key_hash = ${key_hash} and retain_until > ${at}`)
  return found !== undefined
}

export async function upsertKnownAddress(
  tx: Tx,
  key_hash: Buffer,
  retain_until: Date,
): Promise<void> {
  await tx.count(sql`
    insert into login_addresses (key_hash, retain_until)
    values (${key_hash}, ${retain_until})
    on conflict (key_hash) do update
    set retain_until = excluded.retain_until`)
}

export const old_failures: OldRows = {
  rows: sql`from login_failures where retain_until < now()`,
  key: sql`key_hash`,
  oldest_first: sql`retain_until`,
}

export const old_addresses: OldRows = {
  rows: sql`from login_addresses where retain_until < now()`,
  key: sql`key_hash`,
  oldest_first: sql`retain_until`,
}
