// A dashboard session: a cookie in the browser that stands for an ordinary API session. The tokens
// never leave the server, and a revocation is effective for the next request.

import type { SecretKeys } from '../identity/factors/secret-keys.ts'
import { type Credentials, logIn } from '../identity/login/login.ts'
import { exchangeRefreshToken } from '../identity/login/refresh-login.ts'
import type { IssuedTokens, Origin } from '../identity/sessions/open-session.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { type Sweep, sweepRows } from '../postgres/sweep.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import {
  deleteSession,
  expired_sessions,
  insertSession,
  lockSession,
  selectSession,
  updateSession,
} from './queries.ts'
import { type StoredTokens, sealTokens, unsealTokens } from './sealed-tokens.ts'

const cookieShape = /^fds_[A-Za-z0-9_-]{43}$/

// A request may wait in a lane for a second or two: its token must not expire meanwhile.
const renew_before_ms = 60_000

/** Logs in like the API, with the same throttle, and returns the cookie. */
export async function openCookieSession(
  db: Db,
  keys: SecretKeys,
  credentials: Credentials,
  origin: Origin,
): Promise<string> {
  return storeAsCookie(db, await logIn(db, keys, credentials, origin))
}

/** Stores the tokens of a login and returns the cookie that stands for them. */
export async function storeAsCookie(db: Db, tokens: IssuedTokens): Promise<string> {
  const cookie = newSecret('fds_')
  await insertSession(db, sealTokens(cookie, tokens, new Date()))
  return cookie
}

/** The access token of a cookie, renewed if it is about to expire. */
export async function findAccessToken(
  db: Db,
  cookie: string | undefined,
): Promise<string | undefined> {
  if (cookie === undefined || !cookieShape.test(cookie)) return undefined
  const row = await selectSession(db, sha256(cookie), new Date())
  if (row === undefined) return undefined
  const tokens = unsealTokens(cookie, row)
  if (isFresh(tokens)) return tokens.access_token
  return db.transaction((tx) => renew(tx, cookie))
}

// The old refresh token is used and the new pair is stored in one database transaction. So neither
// a crash nor another process can cause the reuse of a refresh token, which would end the session.
async function renew(tx: Tx, cookie: string): Promise<string | undefined> {
  const row = await lockSession(tx, sha256(cookie))
  if (row === undefined) return undefined
  const tokens = unsealTokens(cookie, row)
  // Another request renewed the tokens while this one waited for the row.
  if (isFresh(tokens)) return tokens.access_token
  const issued = await exchangeRefreshToken(tx, tokens.refresh_token)
  if (issued === undefined) {
    await deleteSession(tx, row.cookie_hash)
    return undefined
  }
  await updateSession(tx, sealTokens(cookie, issued, new Date()))
  return issued.access_token
}

function isFresh(tokens: StoredTokens): boolean {
  return tokens.access_expires_at - Date.now() > renew_before_ms
}

/** Deletes the cookie's row. The caller ends the API session. */
export async function deleteCookieSession(db: Db, cookie: string): Promise<void> {
  await deleteSession(db, sha256(cookie))
}

/** Deletes the rows of expired sessions, which are already invalid. */
export const sweepDashboardSessions: Sweep = (db, signal) =>
  sweepRows(db, [expired_sessions], signal)
