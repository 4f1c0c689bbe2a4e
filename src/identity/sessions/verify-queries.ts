import type { Queryable } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { Role } from '../caller.ts'
import type { SessionRow } from './queries.ts'

export interface TokenWithSession {
  token_hash: Buffer
  principal_id: string
  user_id: string | null
  /** Null if the session does not exist. */
  session: Pick<SessionRow, 'user_id' | 'account_id' | 'role'> | null
  /** Already invalid; the row waits for clean-up. */
  is_revoked: boolean
}

/** Unexpired tokens of sessions in the order of their hashes, each with its session. */
export async function selectTokensWithSessions(
  db: Queryable,
  after: Buffer,
  limit: number,
): Promise<TokenWithSession[]> {
  return db.rows(sql`
    select token_hash, principal_id, page.user_id,
      case when sessions.id is not null then json_build_object('user_id', sessions.user_id,
        'account_id', sessions.account_id, 'role', sessions.role) end as session,
      exists (select 1 from ended_sessions where session_id = principal_id)
        or exists (
          select 1
          from revoked_grantors
          where revoked_grantors.id in (sessions.account_id, sessions.created_by_key_id)
        ) as is_revoked
    from (
      select token_hash, principal_id, user_id
      from tokens
      where token_hash > ${after} and kind <> 'api_key' and tokens.expires_at > now()
      order by token_hash
      limit ${limit}
    ) as page
    left join sessions on sessions.id = principal_id
    order by token_hash`)
}

export interface KeyTokenRow {
  principal_id: string
  user_id: string | null
  account_id: string | null
  role: Role
  scopes: string[] | null
}

export async function selectTokensOfKeys(db: Queryable, key_ids: string[]): Promise<KeyTokenRow[]> {
  return db.rows(sql`
    select principal_id, user_id, account_id, role, scopes
    from tokens
    where principal_id = any(${key_ids}::uuid[]) and kind = 'api_key'`)
}

/** Tokens of API keys, in the order of the keys' ids. */
export async function selectKeyTokens(
  db: Queryable,
  after: string,
  limit: number,
): Promise<KeyTokenRow[]> {
  return db.rows(sql`
    select principal_id, user_id, account_id, role, scopes
    from tokens
    where kind = 'api_key' and principal_id > ${after}
    order by principal_id
    limit ${limit}`)
}
