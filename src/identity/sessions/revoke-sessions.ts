// Revokes sessions of users and accounts in the transaction of the change that causes it. Deleting
// the sessions makes their tokens invalid, and a user has a bounded number of sessions. Their
// tokens may be many: the sweep deletes what the transaction does not.

import type { Queryable, Tx } from '../../postgres/database.ts'
import type { Role } from '../caller.ts'
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

// Takes some milliseconds. Most users have fewer tokens, so nothing is left to the sweep.
const tokens_at_once = 1_000

/**
 * Locks all sessions of a user, ordered by id. The user's row must be locked, so that no session is
 * opened meanwhile.
 */
export async function lockSessions(tx: Tx, user_id: string): Promise<void> {
  await lockSessionsOfUser(tx, user_id)
}

/**
 * Locks these sessions of the user, or all of them. If they have moved to an account that is not
 * locked, returns that account: the caller must restart with its lock, otherwise a queued write
 * could commit with a revoked token.
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

/** All their tokens are invalid as soon as this commits. */
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
 * For the clean-up of a closed account, whose tokens are already revoked. Deletes a bounded number
 * of sessions and returns whether none is left.
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
 * Revokes all access tokens, refresh tokens and API keys of the account, including those of
 * sessions opened later, with one row. It cannot be undone. Requires the account lock. The rows of
 * tokens and sessions are deleted with the users.
 */
export async function revokeTokensOfAccount(tx: Tx, account_id: string): Promise<void> {
  await insertRevokedGrantor(tx, account_id)
}

/**
 * Revokes all sessions of all users that this API key created, including sessions opened later,
 * with one row.
 */
export async function revokeSessionsOfCreatedUsers(tx: Tx, key_id: string): Promise<void> {
  await insertRevokedGrantor(tx, key_id)
}

/** Whether the users that this API key created have lost access, because the key was revoked. */
export function isRevokedCreator(db: Queryable, key_id: string): Promise<boolean> {
  return isRevokedGrantor(db, key_id)
}

/** The user's sessions no longer depend on the API key that created the user. */
export async function detachSessionsFromKey(tx: Tx, user_id: string): Promise<void> {
  await clearKeyOfSessions(tx, user_id)
}

/** A lone user who becomes an owner keeps the sessions, which now belong to the account. */
export async function moveSessionsToAccount(
  tx: Tx,
  user_id: string,
  membership: { account_id: string; role: Role },
): Promise<void> {
  await updateSessionsOfUser(tx, user_id, membership)
}
