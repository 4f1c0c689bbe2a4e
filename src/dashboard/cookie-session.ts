// The dashboard's session: a cookie in the browser, an ordinary session of the API behind it. The
// tokens never leave the server, and a revoked one is dead for the very next request.

import { removeInSlices } from '../jobs/in-slices.ts'
import { logIn } from '../login/log-in.ts'
import { exchangeRefreshToken } from '../login/refresh-login.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import type { Origin } from '../sessions/open-session.ts'
import {
  deleteExpired,
  deleteSession,
  insertSession,
  lockSession,
  selectSession,
  updateSession,
} from './queries.ts'
import { type StoredTokens, sealTokens, unsealTokens } from './sealed-tokens.ts'

const cookieShape = /^fds_[A-Za-z0-9_-]{43}$/

// A request may wait in a lane for a second or two: its token must not run out on the way.
const renew_before_ms = 60_000

/** Compares the password as the API's log-in does, with the same throttle. Gives the cookie. */
export async function openCookieSession(
  db: Db,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<string> {
  const tokens = await logIn(db, credentials, origin)
  const cookie = newSecret('fds_')
  await insertSession(db, sealTokens(cookie, tokens, new Date()))
  return cookie
}

/** The access token behind a cookie, renewed when it is about to run out. */
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

// The old refresh token is spent and the new pair stored in one database transaction, so neither a
// crash nor a second process makes anybody send a spent one, which would end the session.
async function renew(tx: Tx, cookie: string): Promise<string | undefined> {
  const row = await lockSession(tx, sha256(cookie))
  if (row === undefined) return undefined
  const tokens = unsealTokens(cookie, row)
  // Whoever waited for the row finds what the one before it has renewed.
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

/** Forgets the cookie. The API's session behind it is ended by whoever ends sessions. */
export async function deleteCookieSession(db: Db, cookie: string): Promise<void> {
  await deleteSession(db, sha256(cookie))
}

// As many as of the tokens that they hold.
const expired_at_once = 1_000

/** What has run out is dead already; this only clears the table. */
export function sweepDashboardSessions(db: Db, signal?: AbortSignal): Promise<number> {
  const at = new Date()
  const remove = (limit: number) => deleteExpired(db, at, limit)
  return removeInSlices({ limit: expired_at_once, remove, signal })
}
