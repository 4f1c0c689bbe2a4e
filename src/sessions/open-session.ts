// Opens a session and issues its tokens. Only SHA-256 of a token is stored. Sessions live in real
// time, whatever a test clock says: a sandbox that jumps a year must not log everybody out.

import type { Tx } from '../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import type { Role } from './caller.ts'
import { insertSession, insertToken } from './queries.ts'

export const access_lifetime_s = 3_600
export const refresh_lifetime_s = 30 * 86_400
export const session_lifetime_s = 90 * 86_400

export interface IssuedTokens {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  session_id: string
}

/** Where a session was opened, shown to its user in the list of sessions. */
export interface Origin {
  address: string
  user_agent: string | undefined
}

export interface SessionUser {
  id: string
  account_id: string | null
  role: Role
}

export async function openSession(
  tx: Tx,
  user: SessionUser,
  origin: Origin,
): Promise<IssuedTokens> {
  const at = new Date()
  const id = newRealTimeUuid(at.getTime())
  const ends_at = later(at, session_lifetime_s)
  await insertSession(tx, {
    id,
    user_id: user.id,
    ends_at,
    refreshed_at: at,
    address: origin.address,
    user_agent: origin.user_agent?.slice(0, 400) ?? null,
  })
  return issueTokens(tx, user, { id, ends_at }, at)
}

/** A new pair. Neither lives longer than the session itself. */
export async function issueTokens(
  tx: Tx,
  user: SessionUser,
  session: { id: string; ends_at: Date },
  at: Date,
): Promise<IssuedTokens> {
  const access_token = newSecret('fat_')
  const refresh_token = newSecret('frt_')
  const holder = {
    principal_id: session.id,
    user_id: user.id,
    account_id: user.account_id,
    role: user.role,
    scopes: null,
  }
  const access_ends = earlier(later(at, access_lifetime_s), session.ends_at)
  const refresh_ends = earlier(later(at, refresh_lifetime_s), session.ends_at)
  await insertToken(tx, {
    ...holder,
    kind: 'access',
    token_hash: sha256(access_token),
    expires_at: access_ends,
  })
  await insertToken(tx, {
    ...holder,
    kind: 'refresh',
    token_hash: sha256(refresh_token),
    expires_at: refresh_ends,
  })
  return {
    access_token,
    refresh_token,
    token_type: 'Bearer',
    expires_in: Math.floor((access_ends.getTime() - at.getTime()) / 1_000),
    session_id: toTypeId('session', session.id),
  }
}

function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000)
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
