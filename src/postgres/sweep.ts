// Deletes rows that are no longer needed, in short statements that are committed separately. One
// long statement would time out, roll back, and have more rows to delete the next time. An abort
// ends a sweep after the current statement: the next sweep deletes the rest.

import { firstUuidAt, max_uuid, nil_uuid } from '../primitives/ids.ts'
import type { Db, Queryable } from './database.ts'
import { type Sql, sql } from './sql.ts'

export type Sweep = (db: Db, signal?: AbortSignal) => Promise<number>

export interface OldRows {
  /** A FROM clause with conditions. */
  rows: Sql
  /** The column that identifies a row. */
  key: Sql
  /** Omitted if there is no index on it. */
  oldest_first?: Sql
  /** Default: 1,000, which takes 7 to 30 ms. */
  slice_max?: number
  /** The rows belong to accounts: on Citus they are in several shards. */
  is_sharded?: true
}

const default_slice_max = 1_000

export async function sweepRows(
  db: Db,
  tables: OldRows[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let swept = 0
  for (const old of tables) {
    const { slice_max = default_slice_max } = old
    const deleteRows = old.is_sharded ? deleteShardedSlice : deleteSlice
    swept += await inSlices(slice_max, signal, (limit) => deleteRows(db, old, limit))
  }
  return swept
}

// `any(array(...))` instead of a join: with a limit unknown at planning time, the planner expects a
// tenth of the table and may choose a sequential scan for the join. The conditions are checked
// again, because a row can change between the two scans.
function deleteSlice(
  db: Queryable,
  { rows, key, oldest_first }: OldRows,
  limit: number,
): Promise<number> {
  const order = oldest_first === undefined ? sql`` : sql`order by ${oldest_first}`
  return db.count(sql`
    delete ${rows} and ${key} = any(array(
      select ${key} ${rows} ${order} limit ${limit} for update skip locked))`)
}

// Citus cannot lock rows in several shards, nor delete by a subquery that is not about one account.
async function deleteShardedSlice(
  db: Queryable,
  { rows, key, oldest_first }: OldRows,
  limit: number,
): Promise<number> {
  const order = oldest_first === undefined ? sql`` : sql`order by ${oldest_first}`
  const found = await db.rows<{ key: unknown }>(sql`
    select ${key} as key ${rows} ${order} limit ${limit}`)
  if (found.length === 0) return 0
  return db.count(sql`delete ${rows} and ${key} = any(${found.map((row) => row.key)})`)
}

/** Repeats `change` until it finds fewer rows than `limit`, and returns how many it found. */
export async function inSlices(
  limit: number,
  signal: AbortSignal | undefined,
  change: (limit: number) => Promise<number>,
): Promise<number> {
  for (let changed = 0; ; ) {
    const count = await change(limit)
    changed += count
    if (count < limit || signal?.aborted) return changed
  }
}

/** A table without an index on time, whose primary key is the account and an ascending key. */
export interface OldAccountRows {
  /** A FROM clause without conditions, with the alias `stored`. */
  rows: Sql
  key: Sql
  /** Within an account, no row is old after one that is not. */
  is_old: Sql
}

// One index lookup per account, and about 10,000 rows per statement at most.
const accounts_max = 1_000
const rows_max = 10_000

export async function sweepAccounts(
  db: Db,
  old: OldAccountRows,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let swept = 0, after = nil_uuid; ; ) {
    const accounts = await selectAccounts(db, old, after)
    const ids = accounts.filter(({ is_old }) => is_old).map(({ account_id }) => account_id)
    if (ids.length > 0) swept += await inSlices(1, signal, () => deleteOldest(db, old, ids))
    if (accounts.length < accounts_max || signal?.aborted) return swept
    after = accounts.at(-1)!.account_id
  }
}

interface OldestRow {
  account_id: string
  /** Null if the account has no rows. */
  is_old: boolean | null
}

/** A page of accounts in id order, each with whether its first row is old. */
function selectAccounts(db: Db, old: OldAccountRows, after: string): Promise<OldestRow[]> {
  return db.shards.is_distributed ? selectAll(db, old, after) : selectWithRows(db, old, after)
}

// A loose index scan: one lookup per account that has rows, however many it has.
function selectWithRows(
  db: Queryable,
  { rows, key, is_old }: OldAccountRows,
  after: string,
): Promise<OldestRow[]> {
  const next = (account_id: Sql) => sql`
    select stored.account_id, ${is_old} as is_old
    ${rows}
    where stored.account_id > ${account_id}
    order by stored.account_id, ${key}
    limit 1`
  return db.rows(sql`
    with recursive oldest as (
      (${next(sql`${after}`)})
      union all
      select next.*
      from oldest
      cross join lateral (${next(sql`oldest.account_id`)}) as next
    )
    select account_id, is_old
    from oldest
    limit ${accounts_max}`)
}

// Citus rejects the recursion, which is not about one account: one lookup per account.
function selectAll(
  db: Queryable,
  { rows, key, is_old }: OldAccountRows,
  after: string,
): Promise<OldestRow[]> {
  return db.rows(sql`
    select balances.account_id, first.is_old
    from balances
    left join lateral (
      select ${is_old} as is_old
      ${rows}
      where stored.account_id = balances.account_id
      order by ${key}
      limit 1) as first on true
    where balances.account_id > ${after}
    order by balances.account_id
    limit ${accounts_max}`)
}

/** Deletes old rows of each account. The last key is an array element: uuid has no max(). */
function deleteOldest(
  db: Db,
  { rows, key, is_old }: OldAccountRows,
  account_ids: string[],
): Promise<number> {
  const accounts = db.shards.is_distributed
    ? sql`(select account_id from balances where account_id = any(${account_ids}::uuid[]))`
    : sql`unnest(${account_ids}::uuid[])`
  return db.count(sql`
    delete ${rows}
    using (
      select it.account_id, (array_agg(first.key order by first.key desc))[1] as through
      from ${accounts} as it (account_id)
      cross join lateral (
        select ${key} as key, ${is_old} as is_old
        ${rows}
        where stored.account_id = it.account_id
        order by ${key}
        limit ${Math.ceil(rows_max / account_ids.length)}) as first
      where first.is_old
      group by it.account_id) as old
    where stored.account_id = old.account_id and ${key} <= old.through`)
}

// A lost COMMIT is settled within seconds, or its outcome stays unknown. An hour allows for clocks
// that differ between machines.
const evidence_retention_ms = 3_600_000

/** Deletes the rows of commit-evidence.ts, whose ids contain their real time. */
export const sweepEvidence: Sweep = async (db, signal) => {
  const before = firstUuidAt(Date.now() - evidence_retention_ms)
  const key = sql`id`
  const is_old = sql`id < ${before}`
  // Changes of the service belong to no account.
  const of_service: OldRows = {
    rows: sql`from commit_evidence where account_id = ${max_uuid} and ${is_old}`,
    key,
    oldest_first: key,
  }
  const of_accounts = { rows: sql`from commit_evidence as stored`, key, is_old }
  const swept = await sweepRows(db, [of_service], signal)
  return swept + (await sweepAccounts(db, of_accounts, signal))
}
