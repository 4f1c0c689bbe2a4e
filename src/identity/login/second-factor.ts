// The second step of a login with a password. It starts only after the password was right.

import type { Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { SecretKeys } from '../factors/secret-keys.ts'
import { listConfirmedFactors, useCode } from '../factors/use-code.ts'
import type { UserRow } from '../users/user.ts'
import { type LoginAttempt, recordWrongCode, requireCodesNotThrottled } from './login-throttle.ts'

/**
 * Requires the lock of the user's row. Returns false for a wrong code: the caller must commit, so
 * that the failure counts, and then throw wrongCode.
 */
export async function passSecondFactor(
  tx: Tx,
  keys: SecretKeys,
  user: UserRow,
  attempt: LoginAttempt,
  code: string | undefined,
): Promise<boolean> {
  const factors = await listConfirmedFactors(tx, user.id)
  if (factors.length === 0) return true
  if (code === undefined) throw needsCode()
  await requireCodesNotThrottled(tx, user.id)
  if (await useCode(tx, keys, user, factors, code)) return true
  await recordWrongCode(tx, attempt, user.id)
  return false
}

function needsCode(): Refusal {
  return new Refusal(
    'unauthorized',
    'This user has two-factor authentication. Log in again with "code": a code of the ' +
      'authenticator app or a recovery code. Or log in with a passkey.',
    { needs_login: {} },
  )
}

export function wrongCode(): Refusal {
  return new Refusal(
    'unauthorized',
    '"code" is wrong, expired or already used. Send the next code of the authenticator app, or ' +
      'an unused recovery code.',
    { needs_login: {} },
  )
}
