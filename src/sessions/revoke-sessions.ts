// Revocation on behalf of users and accounts, inside the change that causes it. It takes effect
// through the rows of sessions, of which a user has a bounded number. Their tokens may be many:
// what one transaction does not delete is left to the sweep.

import type { Queryable, Tx } from '../postgres/database.ts'
import type { Role } from './caller.ts'
import {
  clearKeyOfSessions,
  deleteSessions,
  deleteTokensOfSessions,
  insertEndedSessions,
  insertRevokedGrantor,
  isRevokedGrantor,
  lockSessionsOfUser,
  lockSessionsOfUsers,
  updateSessionsOfUser,
} from './queries.ts'

// Some milliseconds. Most users have fewer tokens, and all of them are gone at once.
const tokens_at_once = 1_000

/**
 * Locks all sessions of a user, in one order. Call it after locking the user's row, under which
 * sessions are opened: then there are no others.
 */
export async function lockSessions(tx: Tx, user_id: string): Promise<void> {
  await lockSessionsOfUser(tx, user_id)
}

/**
 * Locks these sessions of the user, or all of them. Returns the account that they have moved to, if
 * its lock is not held: a queued write of it would slip by, so the caller starts again with it.
 */
export async function lockSessionsIn(
  tx: Tx,
  user_id: string,
  locked_account_id: string | null,
  ids?: string[],
): Promise<string | undefined> {
  const sessions = await lockSessionsOfUser(tx, user_id, ids)
  const moved = sessions.find(({ account_id }) => account_id !== locked_account_id)
  return moved?.account_id ?? undefined
}

/** Their tokens are invalid as soon as this commits, however many there are. */
export async function endSessions(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await deleteSessions(tx, ids)
  const deleted = await deleteTokensOfSessions(tx, ids, tokens_at_once)
  if (deleted === tokens_at_once) await insertEndedSessions(tx, ids)
}

export async function revokeSessionsOfUser(
  tx: Tx,
  user_id: string,
  except_session_id?: string,
): Promise<void> {
  const sessions = await lockSessionsOfUser(tx, user_id)
  const ids = sessions.map(({ id }) => id)
  await endSessions(
    tx,
    ids.filter((id) => id !== except_session_id),
  )
}

const sessions_at_once = 1_000

/**
 * For slices of a closing: the account's tokens are revoked already, sessions remain. Deletes a
 * bounded number of them and returns whether none is left.
 */
export async function revokeSessionsOfUsers(tx: Tx, user_ids: string[]): Promise<boolean> {
  const sessions = await lockSessionsOfUsers(tx, user_ids, sessions_at_once)
  await endSessions(
    tx,
    sessions.map(({ id }) => id),
  )
  return sessions.length < sessions_at_once
}

/**
 * Every access token, refresh token and key of the account is invalid as soon as this commits, also
 * sessions that its people open later. One row, however many tokens there are. Call it under the
 * account's lock; an account cannot get its access back. Removing its users removes the rows.
 */
export async function revokeTokensOfAccount(tx: Tx, account_id: string): Promise<void> {
  await insertRevokedGrantor(tx, account_id)
}

/**
 * Every session of a user that this API key created is invalid as soon as this commits, also one
 * that is opened later. One row, however many users there are.
 */
export async function revokeSessionsOfCreatedUsers(tx: Tx, key_id: string): Promise<void> {
  await insertRevokedGrantor(tx, key_id)
}

/** Whether users that this API key created have lost their access with it. */
export function isRevokedCreator(db: Queryable, key_id: string): Promise<boolean> {
  return isRevokedGrantor(db, key_id)
}

/** The user's sessions no longer depend on the API key that created the user. */
export async function detachSessionsFromKey(tx: Tx, user_id: string): Promise<void> {
  await clearKeyOfSessions(tx, user_id)
}

/** A lone user who becomes an owner keeps the session, which now speaks for the account. */
export async function moveSessionsToAccount(
  tx: Tx,
  user_id: string,
  place: { account_id: string; role: Role },
): Promise<void> {
  await updateSessionsOfUser(tx, user_id, place)
}
