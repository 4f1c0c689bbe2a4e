// GET /v1/auth/sessions: the caller's live sessions, newest first.

import type { Db, Queryable } from '../../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../../primitives/cursor.ts'
import { timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import type { Caller } from '../caller.ts'
import { refresh_lifetime_s } from './open-session.ts'
import { type SessionRow, selectSession, selectSessions } from './queries.ts'
import { selectTokensWithSessions, type TokenWithSession } from './verify-queries.ts'

interface Session {
  id: string
  current: boolean
  address: string
  user_agent: string | null
  created_at: string
  refreshed_at: string
  expires_at: string
}

export async function listSessions(
  db: Db,
  caller: Caller,
  query: CursorQuery,
): Promise<CursorPage<Session>> {
  const since = liveSince(new Date())
  const page = await pageByCursor(query, 'session', {
    exists: async (id) => (await selectSession(db, caller.user_id, id, since)) !== undefined,
    select: (range) => selectSessions(db, caller.user_id, range, since),
  })
  return { ...page, data: page.data.map((row) => present(row, caller)) }
}

/** A session that was neither opened nor renewed since this time has no valid token. */
export function liveSince(at: Date): Date {
  return new Date(at.getTime() - refresh_lifetime_s * 1_000)
}

function present(row: SessionRow, caller: Caller): Session {
  return {
    id: toTypeId('session', row.id),
    current: row.id === caller.principal_id,
    address: row.address,
    user_agent: row.user_agent,
    created_at: toIso(timeOfUuid(row.id)),
    refreshed_at: toIso(row.refreshed_at),
    expires_at: toIso(row.ends_at),
  }
}

export type { TokenWithSession } from './verify-queries.ts'

/** All tokens of sessions in pages, for verification. */
export async function* listTokensWithSessions(
  db: Queryable,
  limit: number,
): AsyncGenerator<TokenWithSession[], void> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const tokens = await selectTokensWithSessions(db, after, limit)
    if (tokens.length > 0) yield tokens
    if (tokens.length < limit) return
    after = tokens.at(-1)!.token_hash
  }
}
