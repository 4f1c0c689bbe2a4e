// Revocation on behalf of users and accounts, inside the change that causes it.

import type { Tx } from '../postgres/database.ts'
import type { Role } from './caller.ts'
import {
  deleteSession,
  deleteSessionsOfUser,
  deleteSessionsOfUsers,
  deleteTokensOfAccount,
  lockSessionTokensOfUser,
  lockTokensOfUser,
  updateTokensOfUser,
} from './queries.ts'

/**
 * Takes all of a user's tokens in one order. After the user's row, under which tokens are issued:
 * then there are no others.
 */
export async function lockTokens(tx: Tx, user_id: string): Promise<void> {
  await lockTokensOfUser(tx, user_id)
}

/**
 * Those of the user's sessions alone. Answers the account that they have come to since, of which no
 * lock is held: a queued write of it would slip by, so whoever revokes begins anew with it.
 */
export async function lockSessionTokens(
  tx: Tx,
  user_id: string,
  locked_account_id: string | null,
): Promise<string | undefined> {
  const tokens = await lockSessionTokensOfUser(tx, user_id)
  const moved = tokens.find(({ account_id }) => account_id !== locked_account_id)
  return moved?.account_id ?? undefined
}

export async function revokeSession(
  tx: Tx,
  session: { session_id: string; user_id: string },
): Promise<void> {
  await deleteSession(tx, session.session_id, session.user_id)
}

export async function revokeSessionsOfUser(
  tx: Tx,
  user_id: string,
  except_session_id?: string,
): Promise<void> {
  await deleteSessionsOfUser(tx, user_id, except_session_id ?? null)
}

const sessions_at_once = 1_000

/**
 * For slices of a closing: the account's tokens are revoked already, sessions remain. Deletes a
 * bounded number of them and returns whether none is left.
 */
export function revokeSessionsOfUsers(tx: Tx, user_ids: string[]): Promise<boolean> {
  return deleteSessionsOfUsers(tx, user_ids, sessions_at_once)
}

/** Every access token, refresh token and key of the account, whoever holds it. */
export async function revokeTokensOfAccount(tx: Tx, account_id: string): Promise<void> {
  await deleteTokensOfAccount(tx, account_id)
}

/** A lone user who becomes an owner keeps the session, which now speaks for the account. */
export async function moveTokensToAccount(
  tx: Tx,
  user_id: string,
  place: { account_id: string; role: Role },
): Promise<void> {
  await updateTokensOfUser(tx, user_id, place)
}
