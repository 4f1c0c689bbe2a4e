// Opens a session and issues its tokens. Only the SHA-256 of a token is stored. Sessions use real
// time, not business time: advancing the sandbox clock by a year must not log users out.

import type { Tx } from '../../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../../primitives/ids.ts'
import { newSecret, sha256 } from '../../primitives/secrets.ts'
import type { Role } from '../caller.ts'
import { insertSession, insertSessionToken, lockSurplusSessions } from './queries.ts'
import { endSessions } from './revoke-sessions.ts'

const access_lifetime_s = 3_600
export const refresh_lifetime_s = 30 * 86_400
export const session_lifetime_s = 90 * 86_400

// More than the devices and scripts of one user. A script that logs in without logging out ends its
// least recently used sessions. The limit also bounds the rows that a revocation deletes.
const sessions_max = 1_000

export interface IssuedTokens {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  session_id: string
}

/** The client that opened a session, shown in the list of sessions. */
export interface Origin {
  address: string
  user_agent: string | undefined
  /** The preferred language, for an email about the login. */
  language?: string | undefined
  /** False if the client has disconnected. */
  isWanted?(): boolean
}

interface SessionUser {
  id: string
  account_id: string | null
  role: Role
  created_by_key_id: string | null
}

/** The user's row must be locked. */
export async function openSession(
  tx: Tx,
  user: SessionUser,
  origin: Origin,
): Promise<IssuedTokens> {
  const at = new Date()
  const id = newRealTimeUuid(at.getTime())
  const ends_at = later(at, session_lifetime_s)
  const surplus = await lockSurplusSessions(tx, user.id, sessions_max - 1)
  await endSessions(
    tx,
    surplus.map((session) => session.id),
  )
  const session = { id, user_id: user.id, generation: 0, ends_at }
  await insertSession(tx, {
    ...session,
    account_id: user.account_id,
    role: user.role,
    created_by_key_id: user.created_by_key_id,
    refreshed_at: at,
    address: origin.address,
    user_agent: origin.user_agent?.slice(0, 400) ?? null,
  })
  return issueTokens(tx, session, at)
}

/** Issues a new pair of tokens. Neither outlives the session. */
export async function issueTokens(
  tx: Tx,
  session: { id: string; user_id: string; generation: number; ends_at: Date },
  at: Date,
): Promise<IssuedTokens> {
  const access_token = newSecret('fat_')
  const refresh_token = newSecret('frt_')
  const access_ends = earlier(later(at, access_lifetime_s), session.ends_at)
  const refresh_ends = earlier(later(at, refresh_lifetime_s), session.ends_at)
  await insertSessionToken(tx, session, {
    kind: 'access',
    token_hash: sha256(access_token),
    expires_at: access_ends,
  })
  await insertSessionToken(tx, session, {
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
