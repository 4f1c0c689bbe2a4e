import type { Queryable, Tx } from '../../postgres/database.ts'
import { accountPageClause, type IdPage, ofAccount } from '../../postgres/page-clause.ts'
import { nothing, type Sql, sql } from '../../postgres/sql.ts'
import { sqlRows } from '../../postgres/sql-rows.ts'
import type { CursorRange } from '../../primitives/cursor.ts'
import type { Role } from '../caller.ts'
import type { UserRow, UserStatus } from './user.ts'

const columns = sql`id, account_id, role, status, email, name, updated_at, created_by_key_id`

interface NewUserRow extends UserRow {
  email_canonical: string
  password_hash: string
  search: string
}

/** Requires the account lock. The next id must be greater. */
export async function selectNewestUserId(tx: Tx, account_id: string): Promise<string | undefined> {
  const newest = await tx.row<{ id: string }>(sql`
    select id
    from users
    where account_id = any(array[${account_id}::uuid])
    order by account_id desc, id desc
    limit 1`)
  return newest?.id
}

/** The number of users of the account, counted up to a limit. */
export async function countUsersOfAccount(
  tx: Tx,
  account_id: string,
  limit: number,
): Promise<number> {
  const counted = await tx.row<{ n: number }>(sql`
    select count(*) as n
    from (
      select 1
      from users
      where account_id = ${account_id}
      limit ${limit}) as counted`)
  return counted!.n
}

export async function insertUser(tx: Tx, user: NewUserRow): Promise<void> {
  await tx.count(sql`
    insert into users (id, account_id, role, status, email, email_canonical, name, password_hash,
      search, updated_at, created_by_key_id)
    values (${user.id}, ${user.account_id}, ${user.role}, ${user.status}, ${user.email},
      ${user.email_canonical}, ${user.name}, ${user.password_hash}, ${user.search},
      ${user.updated_at}, ${user.created_by_key_id})`)
}

// Of two concurrent sign-ups with one email, the second waits here and then finds it claimed.
export async function insertEmailClaim(
  tx: Tx,
  canonical: string,
  user_id: string,
): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into email_claims (email_canonical, user_id)
    values (${canonical}, ${user_id})
    on conflict (email_canonical) do nothing`)
  return inserted > 0
}

/** The user with this email; role, status and account are null if the user was deleted. */
export interface EmailHolder {
  user_id: string
  role: Role | null
  status: UserStatus | null
  account_id: string | null
}

export async function selectEmailHolder(
  db: Queryable,
  canonical: string,
): Promise<EmailHolder | undefined> {
  return db.row(sql`
    select user_id, role, status, account_id
    from email_claims
    left join users on users.id = user_id
    where email_claims.email_canonical = ${canonical}`)
}

export async function updateEmailClaim(
  tx: Tx,
  canonical: string,
  holder: { from: string; to: string },
): Promise<boolean> {
  const updated = await tx.count(sql`
    update email_claims
    set user_id = ${holder.to}
    where email_canonical = ${canonical} and user_id = ${holder.from}`)
  return updated > 0
}

export async function deleteEmailClaim(tx: Tx, canonical: string): Promise<void> {
  await tx.count(sql`
    delete from email_claims
    where email_canonical = ${canonical}`)
}

export async function selectUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  return db.row(sql`
    select id, account_id, role, status, email, name, updated_at, created_by_key_id
    from users
    where id = ${id}`)
}

/** In no order. */
export async function selectUsersById(db: Queryable, ids: string[]): Promise<UserRow[]> {
  return db.rows(sql`
    select id, account_id, role, status, email, name, updated_at, created_by_key_id
    from users
    where id = any(${ids}::uuid[])`)
}

export async function lockUserRow(
  tx: Tx,
  id: string,
): Promise<(UserRow & { password_hash: string }) | undefined> {
  return tx.row(sql`
    select id, account_id, role, status, email, name, updated_at, created_by_key_id, password_hash
    from users
    where id = ${id}
    for update`)
}

export async function selectCredentials(
  db: Queryable,
  canonical: string,
): Promise<{ id: string; account_id: string | null; password_hash: string } | undefined> {
  return db.row(sql`
    select users.id, users.account_id, users.password_hash
    from email_claims
    join users on users.id = email_claims.user_id
    where email_claims.email_canonical = ${canonical}`)
}

export interface UserFilter {
  status: UserStatus | undefined
  /** Already folded and escaped for LIKE. */
  like: string | undefined
  /** Users of these accounts are excluded: accounts that are being closed. */
  except_account_ids?: string[]
}

interface UserPage extends UserFilter {
  offset: number
  limit: number
}

function notOf({ except_account_ids = [] }: UserFilter): Sql {
  if (except_account_ids.length === 0) return nothing
  return sql`and (account_id is null or account_id <> all(${except_account_ids}::uuid[]))`
}

export async function selectUsers(db: Queryable, page: UserPage): Promise<UserRow[]> {
  if (page.like !== undefined) return searchUsers(db, page, page.like)
  return db.rows(sql`
    select ${columns}
    from users
    where true
      ${page.status === undefined ? nothing : sql`and status = ${page.status}`}
      ${notOf(page)}
    order by id
    limit ${page.limit}
    offset ${page.offset}`)
}

// Materialized, because the planner prefers to scan the primary key until it has enough matches:
// 25 of 122 matches in 8,000 users took 11 ms that way, and 0.6 ms with the search index.
async function searchUsers(db: Queryable, page: UserPage, like: string): Promise<UserRow[]> {
  return db.rows(sql`
    with matching as materialized (
      select id
      from users
      where search like ${like}
        ${page.status === undefined ? nothing : sql`and status = ${page.status}`}
        ${notOf(page)}
    )
    select ${columns}
    from users
    where id in (
      select id
      from matching
      order by id
      limit ${page.limit}
      offset ${page.offset}
    )
    order by id`)
}

export async function countUsers(
  db: Queryable,
  filter: UserFilter & { like: string },
): Promise<number> {
  const found = await db.row<{ n: number }>(sql`
    select count(*) as n
    from users
    where search like ${filter.like}
      ${filter.status === undefined ? nothing : sql`and status = ${filter.status}`}
      ${notOf(filter)}`)
  return found!.n
}

/** The number of users of some accounts. */
export async function countUsersOf(
  db: Queryable,
  account_ids: string[],
  status: UserStatus | undefined,
): Promise<number> {
  const found = await db.row<{ n: number }>(sql`
    select count(*) as n
    from users
    where account_id = any(${account_ids}::uuid[])
      ${status === undefined ? nothing : sql`and status = ${status}`}`)
  return found!.n
}

export async function selectUsersOfAccount(
  db: Queryable,
  account_id: string,
  range: CursorRange,
): Promise<UserRow[]> {
  return db.rows(sql`
    select ${columns}
    from users
    where ${ofAccount(account_id)}
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

export async function updateUserRow(
  tx: Tx,
  user: UserRow & { search: string; password_hash: string },
): Promise<void> {
  await tx.count(sql`
    update users
    set name = ${user.name}, status = ${user.status}, password_hash = ${user.password_hash},
      search = ${user.search}, updated_at = ${user.updated_at},
      created_by_key_id = ${user.created_by_key_id}
    where id = ${user.id}`)
}

export async function updateUserRole(
  tx: Tx,
  user: { id: string; role: Role; updated_at: Date },
): Promise<void> {
  await tx.count(sql`
    update users
    set role = ${user.role}, updated_at = ${user.updated_at}
    where id = ${user.id}`)
}

/** Users that this API key created and that are not suspended yet. */
export async function selectCreatedUsers(
  db: Queryable,
  key_id: string,
  limit: number,
): Promise<UserRow[]> {
  return db.rows(sql`
    select id, account_id, role, status, email, name, updated_at, created_by_key_id
    from users
    where created_by_key_id = ${key_id} and status <> 'suspended'
    order by id
    limit ${limit}`)
}

export async function updateUserEmail(
  tx: Tx,
  user: { id: string; email: string; email_canonical: string; search: string; updated_at: Date },
): Promise<void> {
  await tx.count(sql`
    update users
    set email = ${user.email}, email_canonical = ${user.email_canonical}, search = ${user.search},
      updated_at = ${user.updated_at}
    where id = ${user.id}`)
}

export async function updateUserAccount(
  tx: Tx,
  user: { id: string; account_id: string; role: Role; email: string; updated_at: Date },
): Promise<void> {
  await tx.count(sql`
    update users
    set account_id = ${user.account_id}, role = ${user.role}, email = ${user.email},
      updated_at = ${user.updated_at}
    where id = ${user.id}`)
}

/** Deletes only claims that still belong to these users: another user may have claimed one. */
export async function deleteUserRows(
  tx: Tx,
  ids: string[],
  freed: { canonical: string; user_id: string }[],
): Promise<void> {
  await tx.count(sql`
    delete from users
    where id = any(${ids}::uuid[])`)
  await tx.count(sql`
    delete from email_claims
    using unnest(${freed.map(({ canonical }) => canonical)}::text[],
      ${freed.map(({ user_id }) => user_id)}::uuid[]) as it (canonical, user_id)
    where email_canonical = it.canonical and email_claims.user_id = it.user_id`)
}

export async function deleteUserRow(tx: Tx, id: string): Promise<void> {
  await tx.count(sql`
    delete from users
    where id = ${id}`)
}

export async function lockUsersOfAccount(
  tx: Tx,
  account_id: string,
  { after, limit }: IdPage,
): Promise<UserRow[]> {
  return tx.rows(sql`
    select id, account_id, role, status, email, name, updated_at, created_by_key_id
    from users
    where account_id = ${account_id} and id > ${after}
    order by id
    limit ${limit}
    for update`)
}

export async function selectAdmins(db: Queryable): Promise<{ id: string; email: string }[]> {
  return db.rows(sql`
    select id, email
    from users
    where role = 'admin'
    order by id
    limit 100`)
}

export async function countAdmins(db: Queryable): Promise<number> {
  const found = await db.row<{ n: number }>(sql`
    select count(*) as n
    from users
    where role = 'admin'`)
  return found!.n
}

export async function hasOtherActiveAdmin(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.row(sql`
    select 1
    from users
    where role = 'admin' and status = 'active' and id <> ${id}
    limit 1`)
  return found !== undefined
}

const newUsers = sqlRows(`
  id uuid, account_id uuid, role text, status text, email text, email_canonical text, name text,
  password_hash text, search text, updated_at timestamptz`)

export function sendNewUsers(tx: Tx, users: NewUserRow[]): void {
  tx.send(sql`insert into users ${newUsers.insert(users)}`)
}

const newClaims = sqlRows('email_canonical text, user_id uuid')

// No conflict clause: an email in use fails the whole transaction.
export function sendNewEmailClaims(
  tx: Tx,
  claims: { email_canonical: string; user_id: string }[],
): void {
  tx.send(sql`insert into email_claims ${newClaims.insert(claims)}`)
}
