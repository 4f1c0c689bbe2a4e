import type { Queryable, Tx } from '../../postgres/database.ts'
import { idPageClause } from '../../postgres/page-clause.ts'
import { type Sql, sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'
import type { CursorRange } from '../../primitives/cursor.ts'
import type { Role } from '../caller.ts'

export interface TokenRow {
  token_hash: Buffer
  kind: 'access' | 'refresh' | 'api_key'
  principal_id: string
  user_id: string
  account_id: string | null
  role: Role
  /** Only API keys have scopes. */
  scopes: string[] | null
  expires_at: Date
  used_at: Date | null
}

export interface SessionRow {
  id: string
  user_id: string
  account_id: string | null
  role: Role
  /** The API key that created the user, if one did. */
  created_by_key_id: string | null
  /** The number of renewals. */
  generation: number
  ends_at: Date
  refreshed_at: Date
  address: string
  user_agent: string | null
}

// A token of a session is valid only while the session's row exists, so deleting that row revokes
// any number of tokens. All joins are by primary key. The statement has no optional parts, so it is
// planned once.
export async function findTokens(db: Queryable, hashes: Buffer[]): Promise<TokenRow[]> {
  return db.rows(sql`
    select token_hash, kind, principal_id, tokens.user_id,
      coalesce(sessions.account_id, tokens.account_id) as account_id,
      coalesce(sessions.role, tokens.role) as role, scopes, expires_at, used_at
    from tokens
    left join sessions on sessions.id = tokens.principal_id
    where token_hash = any(${hashes}::bytea[]) and (kind = 'api_key' or sessions.id is not null)
      and not exists (
        select 1
        from revoked_grantors
        where revoked_grantors.id in (
          coalesce(sessions.account_id, tokens.account_id), sessions.created_by_key_id))`)
}

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx.count(sql`
    insert into sessions (id, user_id, account_id, role, created_by_key_id, generation, ends_at,
      refreshed_at, address, user_agent)
    values (${session.id}, ${session.user_id}, ${session.account_id}, ${session.role},
      ${session.created_by_key_id}, ${session.generation}, ${session.ends_at},
      ${session.refreshed_at}, ${session.address}, ${session.user_agent})`)
}

export async function insertKeyToken(
  tx: Tx,
  token: Omit<TokenRow, 'kind' | 'used_at'>,
): Promise<void> {
  await tx.count(sql`
    insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, scopes,
      expires_at)
    values (${token.token_hash}, 'api_key', ${token.principal_id}, ${token.user_id},
      ${token.account_id}, ${token.role}, ${token.scopes}, ${token.expires_at})`)
}

/** Account and role are those of the session. */
export async function insertSessionToken(
  tx: Tx,
  session: { id: string; user_id: string; generation: number },
  token: Pick<TokenRow, 'token_hash' | 'kind' | 'expires_at'>,
): Promise<void> {
  await tx.count(sql`
    insert into tokens (token_hash, kind, principal_id, user_id, generation, expires_at)
    values (${token.token_hash}, ${token.kind}, ${session.id}, ${session.user_id},
      ${session.generation}, ${token.expires_at})`)
}

const session_columns = sql`id, user_id, account_id, role, created_by_key_id, generation, ends_at,
      refreshed_at, address, user_agent`

// The conditional update makes rotation atomic: exactly one of many parallel uses succeeds.
export async function useRefreshToken(tx: Tx, token_hash: Buffer, at: Date): Promise<boolean> {
  const used = await tx.count(sql`
    update tokens
    set used_at = ${at}
    where token_hash = ${token_hash}
      and kind = 'refresh'
      and used_at is null
      and expires_at > ${at}`)
  return used > 0
}

// Locks the session before its tokens, as every revocation does. This lock waits for a revocation,
// but not for the shared lock of a write by the same session.
export async function lockSessionOfToken(tx: Tx, token_hash: Buffer): Promise<boolean> {
  const found = await tx.count(sql`
    select 1
    from sessions
    where id = (select principal_id from tokens where token_hash = ${token_hash})
    for no key update`)
  return found > 0
}

export async function renewSession(
  tx: Tx,
  token_hash: Buffer,
  at: Date,
): Promise<SessionRow | undefined> {
  return tx.row(sql`
    update sessions
    set refreshed_at = ${at}, generation = generation + 1
    where id = (select principal_id from tokens where token_hash = ${token_hash})
    returning ${session_columns}`)
}

/** Deletes at most `limit` rows: a session from before this limit may have millions. */
export async function deleteOldGenerations(
  tx: Tx,
  session_id: string,
  oldest_retained: number,
  limit: number,
): Promise<void> {
  await tx.count(sql`
    delete from tokens
    where token_hash = any(array(
        select token_hash
        from tokens
        where principal_id = ${session_id} and generation < ${oldest_retained}
        order by generation
        limit ${limit}))`)
}

export async function selectSessions(
  db: Queryable,
  user_id: string,
  page: CursorRange,
  refreshed_since: Date,
): Promise<SessionRow[]> {
  return db.rows(sql`
    select ${session_columns}
    from sessions
    where user_id = ${user_id}
      and ${isLive(refreshed_since)}
      ${idPageClause(page)}
    limit ${page.limit}`)
}

export async function selectSession(
  db: Queryable,
  user_id: string,
  session_id: string,
  refreshed_since: Date,
): Promise<SessionRow | undefined> {
  return db.row(sql`
    select ${session_columns}
    from sessions
    where id = ${session_id} and user_id = ${user_id}
      and ${isLive(refreshed_since)}`)
}

// A session whose tokens have all expired counts as ended, even before the sweep deletes its row.
function isLive(refreshed_since: Date): Sql {
  return sql`refreshed_at > ${refreshed_since} and ends_at > now()`
}

export async function selectAuthenticatedAt(
  db: Queryable,
  session_id: string,
): Promise<Date | null> {
  const found = await db.row<{ authenticated_at: Date | null }>(sql`
    select authenticated_at
    from sessions
    where id = ${session_id}`)
  return found?.authenticated_at ?? null
}

export async function updateAuthenticatedAt(tx: Tx, session_id: string, at: Date): Promise<void> {
  await tx.count(sql`
    update sessions
    set authenticated_at = ${at}
    where id = ${session_id}`)
}

/** Ordered by id to prevent deadlocks. With ids, locks only those that belong to the user. */
export async function lockSessionsOfUser(
  tx: Tx,
  user_id: string,
  ids: string[] | null = null,
): Promise<{ id: string; account_id: string | null }[]> {
  return tx.rows(sql`
    select id, account_id
    from sessions
    where user_id = ${user_id} and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
    order by id
    for update`)
}

export async function lockSessionsOfUsers(
  tx: Tx,
  user_ids: string[],
  limit: number,
): Promise<{ id: string }[]> {
  return tx.rows(sql`
    select id
    from sessions
    where user_id = any(${user_ids}::uuid[])
    order by id
    limit ${limit}
    for update`)
}

/**
 * Locks all but the newest `retained` sessions. Skips a session that a concurrent change has
 * locked: waiting for that change while holding the user's row could deadlock.
 */
export async function lockSurplusSessions(
  tx: Tx,
  user_id: string,
  retained: number,
): Promise<{ id: string }[]> {
  return tx.rows(sql`
    select id
    from sessions
    where id = any(array(
        select id
        from sessions
        where user_id = ${user_id}
        order by refreshed_at desc, id desc
        offset ${retained}))
    order by id
    for update skip locked`)
}

export async function deleteSessions(tx: Tx, ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from sessions
    where id = any(${ids}::uuid[])`)
}

/** Deletes at most `limit` tokens of these sessions. */
export async function deleteTokensOfSessions(
  db: Queryable,
  ids: string[],
  limit: number,
): Promise<number> {
  return db.count(sql`
    delete from tokens
    where token_hash = any(array(
        select token_hash
        from tokens
        where principal_id = any(${ids}::uuid[])
        limit ${limit}))`)
}

export async function insertEndedSessions(tx: Tx, ids: string[]): Promise<void> {
  await tx.count(sql`
    insert into ended_sessions (session_id)
    select unnest(${ids}::uuid[])
    on conflict do nothing`)
}

export async function selectEndedSessions(
  db: Queryable,
  limit: number,
): Promise<{ session_id: string }[]> {
  return db.rows(sql`
    select session_id
    from ended_sessions
    order by session_id
    limit ${limit}`)
}

export async function deleteEndedSessions(db: Queryable, ids: string[]): Promise<void> {
  await db.count(sql`
    delete from ended_sessions
    where session_id = any(${ids}::uuid[])`)
}

export async function insertRevokedGrantor(tx: Tx, id: string): Promise<void> {
  await tx.count(sql`
    insert into revoked_grantors (id)
    values (${id})
    on conflict do nothing`)
}

export async function isRevokedGrantor(db: Queryable, id: string): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from revoked_grantors
    where id = ${id}`)
  return found !== undefined
}

export async function clearKeyOfSessions(tx: Tx, user_id: string): Promise<void> {
  await tx.count(sql`
    update sessions
    set created_by_key_id = null
    where user_id = ${user_id}`)
}

export async function updateSessionsOfUser(
  tx: Tx,
  user_id: string,
  membership: { account_id: string; role: Role },
): Promise<void> {
  await tx.count(sql`
    update sessions
    set account_id = ${membership.account_id}, role = ${membership.role}
    where user_id = ${user_id}`)
}

export async function deleteTokensOfKeys(tx: Tx, key_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from tokens
    where principal_id = any(${key_ids}::uuid[]) and kind = 'api_key'`)
}

// Every renewal leaves a token that is valid for an hour. Renewing needs no password hash, so a day
// without a worker can leave millions.
export const expired_tokens: OldRows = {
  rows: sql`from tokens where expires_at < now()`,
  key: sql`token_hash`,
  oldest_first: sql`expires_at`,
}

// Without an index on their expiry. They are few, because each required a password.
export const expired_sessions: OldRows = {
  rows: sql`from sessions where ends_at < now()`,
  key: sql`id`,
  slice_max: 10_000,
}

export async function selectLiveHashes(
  tx: Queryable,
  hashes: Buffer[],
  at: Date,
): Promise<{ token_hash: Buffer }[]> {
  return tx.rows(sql`
    select token_hash
    from tokens
    left join sessions on sessions.id = tokens.principal_id
    where token_hash = any(${hashes}::bytea[]) and (kind = 'api_key' or sessions.id is not null)
      and expires_at > ${at}
      and not exists (
        select 1
        from revoked_grantors
        where revoked_grantors.id in (
          coalesce(sessions.account_id, tokens.account_id), sessions.created_by_key_id))`)
}

// With the shared lock, a revocation, which deletes the row, waits until this change has committed.
// After a revocation the row does not exist, and the change is rejected.
export async function lockLiveSessionsForShare(
  tx: Tx,
  hashes: Buffer[],
  at: Date,
): Promise<{ token_hash: Buffer }[]> {
  return tx.rows(sql`
    select token_hash
    from tokens
    join sessions on sessions.id = tokens.principal_id
    where token_hash = any(${hashes}::bytea[]) and kind = 'access' and expires_at > ${at}
      and not exists (
        select 1
        from revoked_grantors
        where revoked_grantors.id in (sessions.account_id, sessions.created_by_key_id))
    order by sessions.id
    for key share of sessions`)
}

export async function lockLiveKeysForShare(
  tx: Tx,
  hashes: Buffer[],
  at: Date,
): Promise<{ token_hash: Buffer }[]> {
  return tx.rows(sql`
    select token_hash
    from tokens
    where token_hash = any(${hashes}::bytea[]) and kind = 'api_key' and expires_at > ${at}
      and not exists (select 1 from revoked_grantors where revoked_grantors.id = account_id)
    order by token_hash
    for key share`)
}
