import type { Queryable, Tx } from '../../postgres/database.ts'
import {
  accountPageClause,
  type IdPage,
  idPageClause,
  ofAccount,
} from '../../postgres/page-clause.ts'
import { sql } from '../../postgres/sql.ts'
import { sqlRows } from '../../postgres/sql-rows.ts'
import type { CursorRange } from '../../primitives/cursor.ts'
import type { KeyRow } from './api-key.ts'

const columns = sql`id, account_id, user_id, role, name, scopes, last4, last_used_at, revoked_at`

export async function insertKey(tx: Tx, key: KeyRow): Promise<void> {
  await tx.count(sql`
    insert into api_keys (id, account_id, user_id, role, name, scopes, last4)
    values (${key.id}, ${key.account_id}, ${key.user_id}, ${key.role}, ${key.name}, ${key.scopes},
      ${key.last4})`)
}

export async function countLiveKeys(tx: Tx, account_id: string | null): Promise<number> {
  const counted = await tx.row<{ n: number }>(sql`
    select count(*) as n
    from api_keys
    where account_id is not distinct from ${account_id} and revoked_at is null`)
  return counted!.n
}

/** Counts keys of the account with a greater id, including revoked ones, up to a limit. */
export async function countKeysAfter(
  tx: Tx,
  account_id: string,
  after_id: string,
  limit: number,
): Promise<number> {
  const counted = await tx.row<{ n: number }>(sql`
    select count(*) as n
    from (
      select 1
      from api_keys
      where account_id = ${account_id} and id > ${after_id}
      limit ${limit}) as counted`)
  return counted!.n
}

/** Requires the account lock. The next id must be greater. */
export async function selectNewestKeyId(tx: Tx, account_id: string): Promise<string | undefined> {
  const newest = await tx.row<{ id: string }>(sql`
    select id
    from api_keys
    where account_id = any(array[${account_id}::uuid])
    order by account_id desc, id desc
    limit 1`)
  return newest?.id
}

/** A key of this account, or a platform key if it is null. */
export async function selectKey(
  db: Queryable,
  account_id: string | null,
  id: string,
): Promise<KeyRow | undefined> {
  return db.row(sql`
    select ${columns}
    from api_keys
    where id = ${id} and account_id is not distinct from ${account_id}`)
}

export async function selectKeys(
  db: Queryable,
  account_id: string | null,
  page: CursorRange,
): Promise<KeyRow[]> {
  const owner = account_id === null ? sql`account_id is null` : ofAccount(account_id)
  return db.rows(sql`
    select ${columns}
    from api_keys
    where ${owner}
      ${account_id === null ? idPageClause(page) : accountPageClause(page)}
    limit ${page.limit}`)
}

export async function lockKey(tx: Tx, id: string): Promise<KeyRow | undefined> {
  return tx.row(sql`
    select ${columns}
    from api_keys
    where id = ${id}
    for update`)
}

export async function lockLiveKeysOfCreator(tx: Tx, user_id: string): Promise<KeyRow[]> {
  return tx.rows(sql`
    select ${columns}
    from api_keys
    where user_id = ${user_id} and revoked_at is null
    order by id
    for update`)
}

export async function lockLiveKeysOfAccount(
  tx: Tx,
  account_id: string,
  { after, limit }: IdPage,
): Promise<KeyRow[]> {
  return tx.rows(sql`
    select ${columns}
    from api_keys
    where account_id = ${account_id} and revoked_at is null and id > ${after}
    order by id
    limit ${limit}
    for update`)
}

export async function updateRevoked(tx: Tx, ids: string[], at: Date): Promise<void> {
  await tx.count(sql`
    update api_keys
    set revoked_at = ${at}
    where id = any(${ids}::uuid[])`)
}

export async function updateSuspendingUsers(
  db: Queryable,
  id: string,
  by_user_id: string | null,
): Promise<void> {
  await db.count(sql`
    update api_keys
    set users_suspended_by = ${by_user_id}
    where id = ${id}`)
}

export async function selectSuspendingKeys(
  db: Queryable,
  limit: number,
): Promise<{ id: string; users_suspended_by: string }[]> {
  return db.rows(sql`
    select id, users_suspended_by
    from api_keys
    where users_suspended_by is not null
    order by id
    limit ${limit}`)
}

export async function selectAccountsOfCreator(
  tx: Tx,
  user_id: string,
): Promise<{ account_id: string }[]> {
  return tx.rows(sql`
    select distinct account_id
    from api_keys
    where user_id = ${user_id} and revoked_at is null and account_id is not null
    order by account_id`)
}

const lastUses = sqlRows('id uuid, at timestamptz')

// Several processes record uses: the latest time wins. Locks in the same order as a revocation, to
// prevent deadlocks.
export async function updateLastUses(tx: Tx, uses: { id: string; at: Date }[]): Promise<void> {
  const ids = uses.map((use) => use.id)
  await tx.count(sql`
    with used as materialized (
      select id
      from api_keys
      where id = any(${ids}::uuid[])
      order by id
      for update
    )
    update api_keys
    set last_used_at = greatest(last_used_at, it.at)
    from ${lastUses.from(uses)}
    join used using (id)
    where api_keys.id = it.id`)
}

export async function selectLiveIds(db: Queryable, ids: string[]): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id
    from api_keys
    where id = any(${ids}::uuid[]) and revoked_at is null`)
}

export async function selectLiveKeysAfter(
  db: Queryable,
  after: string,
  limit: number,
): Promise<KeyRow[]> {
  return db.rows(sql`
    select ${columns}
    from api_keys
    where id > ${after} and revoked_at is null
    order by id
    limit ${limit}`)
}

/** The accounts of those ids that are keys; null for a platform key. */
export async function selectKeyOwners(
  db: Queryable,
  ids: string[],
): Promise<{ id: string; account_id: string | null }[]> {
  return db.rows(sql`
    select id, account_id
    from api_keys
    where id = any(${ids}::uuid[])`)
}
