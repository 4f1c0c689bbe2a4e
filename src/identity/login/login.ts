// POST /v1/auth/login.

import type { Db } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { type IssuedTokens, type Origin, openSession } from '../sessions/open-session.ts'
import { lockUser } from '../users/credentials.ts'
import type { UserStatus } from '../users/user.ts'
import { checkPassword } from './check-password.ts'
import { recordSuccess } from './login-throttle.ts'

interface LoginResult extends IssuedTokens {
  user: { id: string; email: string; name: string | null }
}

export async function logIn(
  db: Db,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<LoginResult> {
  const { address, isWanted } = origin
  const client = { key: address, ...(isWanted && { isWanted }) }
  const verified = await checkPassword(db, { ...credentials, address }, client)
  if (verified === undefined) throw wrongCredentials()
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, verified.id)
    // The user was deleted or the password was changed during verification.
    if (user?.password_hash !== verified.password_hash) throw wrongCredentials()
    if (user.status !== 'active') throw notActive(user.status)
    const tokens = await openSession(tx, user, origin)
    const email_canonical = canonicalEmail(credentials.email)
    await recordSuccess(tx, { email_canonical, address })
    const presented = { id: toTypeId('user', user.id), email: user.email, name: user.name }
    return { ...tokens, user: presented }
  })
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
