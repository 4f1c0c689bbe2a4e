// POST /v1/auth/login.

import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { checkPasskey, type PasskeySite, unknownPasskey, usePasskey } from '../factors/passkeys.ts'
import type { SecretKeys } from '../factors/secret-keys.ts'
import { type IssuedTokens, type Origin, openSession } from '../sessions/open-session.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockSessionsIn, revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { lockUser } from '../users/credentials.ts'
import { noticeNewDevice } from '../users/known-devices.ts'
import type { UserRow, UserStatus } from '../users/user.ts'
import { checkPassword } from './check-password.ts'
import { type LoginAttempt, recordSuccess } from './login-throttle.ts'
import { passSecondFactor, wrongCode } from './second-factor.ts'

interface LoginResult extends IssuedTokens {
  user: { id: string; email: string; name: string | null }
}

export interface Credentials {
  email: string
  password: string
  /** Of the authenticator app, or a recovery code. Ignored if the user has no second factor. */
  code?: string
}

export async function logIn(
  db: Db,
  keys: SecretKeys,
  credentials: Credentials,
  origin: Origin,
): Promise<LoginResult> {
  const { address, isWanted } = origin
  const client = { key: address, ...(isWanted && { isWanted }) }
  const { email, password, code } = credentials
  const verified = await checkPassword(db, { email, password, address }, client)
  if (verified === undefined) throw wrongCredentials()
  const attempt = { email_canonical: canonicalEmail(email), address }
  const result = await db.transaction(async (tx) => {
    const user = await lockUser(tx, verified.id)
    // The user was deleted or the password was changed during verification.
    if (user?.password_hash !== verified.password_hash) throw wrongCredentials()
    if (user.status !== 'active') throw notActive(user.status)
    if (!(await passSecondFactor(tx, keys, user, attempt, code))) return undefined
    return openLogin(tx, user, attempt, origin)
  })
  if (result === undefined) throw wrongCode()
  return result
}

/** A passkey verifies its user, so it needs neither a password nor a code. */
export async function logInWithPasskey(
  db: Db,
  site: PasskeySite,
  credential: unknown,
  origin: Origin,
): Promise<LoginResult> {
  const proof = await checkPasskey(db, site, credential)
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, proof.passkey.user_id)
    if (user === undefined) throw unknownPasskey()
    await usePasskey(tx, proof)
    if (user.status !== 'active') throw notActive(user.status)
    const attempt = { email_canonical: canonicalEmail(user.email), address: origin.address }
    return openLogin(tx, user, attempt, origin)
  })
}

/** Opens the session of a user who has been identified. The user's row must be locked. */
export async function openLogin(
  tx: Tx,
  user: UserRow,
  attempt: LoginAttempt,
  origin: Origin,
): Promise<LoginResult> {
  const tokens = await openSession(tx, user, origin)
  await recordSuccess(tx, attempt)
  await noticeNewDevice(tx, user, origin)
  const presented = { id: toTypeId('user', user.id), email: user.email, name: user.name }
  return { ...tokens, user: presented }
}

function wrongCredentials(): Refusal {
  return new Refusal('invalid_credentials', 'The email or password is incorrect.')
}

function notActive(status: UserStatus): Refusal {
  return new Refusal(
    'unauthorized',
    `This user is ${status} and cannot log in. Contact the owner of the account.`,
  )
}

// Logs the caller out everywhere: ends all sessions, including the current one. API keys stay
// valid.
export async function endAllSessions(db: Db, caller: Caller): Promise<void> {
  const moved_to = await db.transaction(async (tx) => {
    // In the global lock order. While the user's row is locked, no session is opened or renewed, so
    // this finds all of them.
    if (caller.account_id !== null) await lockAccountIfExists(tx, caller.account_id)
    await lockUser(tx, caller.user_id)
    const moved_to = await lockSessionsIn(tx, caller.user_id, caller.account_id)
    if (moved_to !== undefined) return moved_to
    await requireLiveToken(tx, caller)
    await revokeSessionsOfUser(tx, caller.user_id)
    return undefined
  })
  if (moved_to !== undefined) await endAllSessions(db, { ...caller, account_id: moved_to })
}
