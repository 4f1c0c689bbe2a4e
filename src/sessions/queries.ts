import { idEdge } from '../postgres/cursor-edge.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { Role } from './caller.ts'

export interface TokenRow {
  token_hash: Buffer
  kind: 'access' | 'refresh' | 'api_key'
  principal_id: string
  user_id: string
  account_id: string | null
  role: Role
  /** Only keys have scopes. */
  scopes: string[] | null
  expires_at: Date
  used_at: Date | null
}

export interface SessionRow {
  id: string
  user_id: string
  ends_at: Date
  refreshed_at: Date
  address: string
  user_agent: string | null
}

export async function findTokens(db: Queryable, hashes: Buffer[]): Promise<TokenRow[]> {
  return db.rows(sql`
    select token_hash, kind, principal_id, user_id, account_id, role, scopes, expires_at, used_at
    from tokens
    where token_hash = any(${hashes}::bytea[])`)
}

// The share lock makes a revocation wait until this change has committed; a revocation that came
// first has deleted the row, and the change is refused.
export async function shareToken(tx: Tx, token_hash: Buffer, at: Date): Promise<boolean> {
  const found = await tx.count(sql`
    select 1
    from tokens
    where token_hash = ${token_hash} and expires_at > ${at}
    for key share`)
  return found > 0
}

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx.count(sql`
    insert into sessions (id, user_id, ends_at, refreshed_at, address, user_agent)
    values (${session.id}, ${session.user_id}, ${session.ends_at}, ${session.refreshed_at},
      ${session.address}, ${session.user_agent})`)
}

export async function insertToken(tx: Tx, token: Omit<TokenRow, 'used_at'>): Promise<void> {
  await tx.count(sql`
    insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, scopes,
      expires_at)
    values (${token.token_hash}, ${token.kind}, ${token.principal_id}, ${token.user_id},
      ${token.account_id}, ${token.role}, ${token.scopes}, ${token.expires_at})`)
}

// One conditional update is the whole rotation: of many parallel uses exactly one finds it unused.
export async function useRefreshToken(
  tx: Tx,
  token_hash: Buffer,
  at: Date,
): Promise<TokenRow | undefined> {
  return tx.row(sql`
    update tokens
    set used_at = ${at}
    where token_hash = ${token_hash}
      and kind = 'refresh'
      and used_at is null
      and expires_at > ${at}
    returning token_hash, kind, principal_id, user_id, account_id, role, scopes, expires_at,
      used_at`)
}

export async function touchSession(
  tx: Tx,
  session_id: string,
  at: Date,
): Promise<SessionRow | undefined> {
  return tx.row(sql`
    update sessions
    set refreshed_at = ${at}
    where id = ${session_id}
    returning id, user_id, ends_at, refreshed_at, address, user_agent`)
}

export async function selectSessions(
  db: Queryable,
  user_id: string,
  page: CursorRange,
  at: Date,
): Promise<SessionRow[]> {
  return db.rows(sql`
    select id, user_id, ends_at, refreshed_at, address, user_agent
    from sessions
    where user_id = ${user_id}
      and ${isLive(at)}
      ${idEdge(page)}
    limit ${page.limit}`)
}

export async function selectSession(
  db: Queryable,
  user_id: string,
  session_id: string,
  at: Date,
): Promise<SessionRow | undefined> {
  return db.row(sql`
    select id, user_id, ends_at, refreshed_at, address, user_agent
    from sessions
    where id = ${session_id} and user_id = ${user_id}
      and ${isLive(at)}`)
}

// A session whose tokens have all run out is dead, though its row waits for the sweep.
function isLive(at: Date): Sql {
  return sql`exists (
        select 1
        from tokens
        where principal_id = sessions.id and used_at is null and expires_at > ${at}
      )`
}

export async function deleteSession(tx: Tx, session_id: string, user_id: string): Promise<void> {
  await tx.count(sql`
    delete from tokens
    where principal_id = ${session_id} and user_id = ${user_id}`)
  await tx.count(sql`
    delete from sessions
    where id = ${session_id} and user_id = ${user_id}`)
}

export async function lockTokensOfUser(tx: Tx, user_id: string): Promise<void> {
  await tx.rows(sql`
    select 1
    from tokens
    where user_id = ${user_id}
    order by token_hash
    for update`)
}

/** Not those of keys: whoever revokes one has them, and waits for a token of a session. */
/** The accounts that they are of. */
export async function lockSessionTokensOfUser(
  tx: Tx,
  user_id: string,
): Promise<{ account_id: string | null }[]> {
  return tx.rows(sql`
    select account_id
    from tokens
    where user_id = ${user_id} and kind <> 'api_key'
    order by token_hash
    for update`)
}

export async function deleteSessionsOfUser(
  tx: Tx,
  user_id: string,
  except_session_id: string | null,
): Promise<void> {
  // A key is no session: it outlives a new password, and goes with its maker.
  await tx.count(sql`
    delete from tokens
    where user_id = ${user_id} and kind <> 'api_key'
      and principal_id is distinct from ${except_session_id}`)
  await tx.count(sql`
    delete from sessions
    where user_id = ${user_id} and id is distinct from ${except_session_id}`)
}

/** Up to a limit of sessions, and as many tokens. Returns whether none is left. */
export async function deleteSessionsOfUsers(
  tx: Tx,
  user_ids: string[],
  limit: number,
): Promise<boolean> {
  const tokens = await tx.count(sql`
    delete from tokens
    where token_hash = any(array(
        select token_hash
        from tokens
        where user_id = any(${user_ids}::uuid[])
        limit ${limit}))`)
  const sessions = await tx.count(sql`
    delete from sessions
    where id = any(array(
        select id
        from sessions
        where user_id = any(${user_ids}::uuid[])
        limit ${limit}))`)
  return tokens < limit && sessions < limit
}

export async function deleteTokensOfAccount(tx: Tx, account_id: string): Promise<void> {
  await tx.count(sql`
    delete from tokens
    where account_id = ${account_id}`)
}

export async function updateTokensOfUser(
  tx: Tx,
  user_id: string,
  place: { account_id: string; role: Role },
): Promise<void> {
  await tx.count(sql`
    update tokens
    set account_id = ${place.account_id}, role = ${place.role}
    where user_id = ${user_id}`)
}

export async function deleteTokensOfKeys(tx: Tx, key_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from tokens
    where principal_id = any(${key_ids}::uuid[]) and kind = 'api_key'`)
}

// The keys as an array: a limit that is not known when the statement is planned seems to let a
// tenth of the table through, and a join with so many may read the whole table.
export async function deleteDeadTokens(db: Queryable, at: Date, limit: number): Promise<number> {
  return db.count(sql`
    delete from tokens
    where token_hash = any(array(
        select token_hash
        from tokens
        where expires_at < ${at}
        order by expires_at
        limit ${limit}
        for update skip locked))
      and expires_at < ${at}`)
}

export async function deleteEndedSessions(db: Queryable, at: Date, limit: number): Promise<number> {
  return db.count(sql`
    delete from sessions
    where id = any(array(
        select id
        from sessions
        where ends_at < ${at}
        limit ${limit}
        for update skip locked))
      and ends_at < ${at}`)
}

export async function selectLiveHashes(
  tx: Queryable,
  hashes: Buffer[],
  at: Date,
): Promise<{ token_hash: Buffer }[]> {
  return tx.rows(sql`
    select token_hash
    from tokens
    where token_hash = any(${hashes}::bytea[]) and expires_at > ${at}`)
}

// For those who belong to no account, and whose revoker therefore holds no account's lock.
export async function shareLiveHashes(
  tx: Tx,
  hashes: Buffer[],
  at: Date,
): Promise<{ token_hash: Buffer }[]> {
  return tx.rows(sql`
    select token_hash
    from tokens
    where token_hash = any(${hashes}::bytea[]) and expires_at > ${at}
    order by token_hash
    for key share`)
}

export interface TokenPlace {
  token_hash: Buffer
  principal_id: string
  user_id: string | null
  account_id: string | null
  role: Role
  /** Whose session it is a token of; null when there is no such session. */
  session_user_id: string | null
}

/**
 * Tokens that live, in the order of their hashes, each with its session. Keys have none. One that
 * has run out may outlive its session until the next sweep, when somebody held it in this one.
 */
export async function selectTokenPlaces(
  db: Queryable,
  after: Buffer,
  limit: number,
): Promise<TokenPlace[]> {
  return db.rows(sql`
    select token_hash, principal_id, tokens.user_id, account_id, role,
      sessions.user_id as session_user_id
    from tokens
    left join sessions on sessions.id = principal_id
    where token_hash > ${after} and kind <> 'api_key' and tokens.expires_at > now()
    order by token_hash
    limit ${limit}`)
}

export interface KeyTokenPlace {
  principal_id: string
  user_id: string | null
  account_id: string | null
  role: Role
  scopes: string[] | null
}

export async function selectTokensOfKeys(
  db: Queryable,
  key_ids: string[],
): Promise<KeyTokenPlace[]> {
  return db.rows(sql`
    select principal_id, user_id, account_id, role, scopes
    from tokens
    where principal_id = any(${key_ids}::uuid[]) and kind = 'api_key'`)
}

/** Tokens of keys, in the order of the keys' ids. */
export async function selectKeyTokens(
  db: Queryable,
  after: string,
  limit: number,
): Promise<KeyTokenPlace[]> {
  return db.rows(sql`
    select principal_id, user_id, account_id, role, scopes
    from tokens
    where kind = 'api_key' and principal_id > ${after}
    order by principal_id
    limit ${limit}`)
}
