// The only function that verifies a password. An unknown email, a wrong password and a deleted user
// take the same time and have the same result, so the response does not reveal which emails exist.

import type { Db } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import type { Caller } from '../caller.ts'
import { findCredentials } from '../users/credentials.ts'
import { getUserById } from '../users/get-user.ts'
import {
  dummyHash,
  type HashingClient,
  inHashingSlot,
  requireHashingRoom,
} from '../users/password.ts'
import { wrongCurrentPassword } from '../users/update-user.ts'
import { recordFailure, requireNotThrottled } from './login-throttle.ts'

interface VerifiedUser {
  id: string
  /** The verified hash. The caller compares it again after locking the user's row. */
  password_hash: string
}

export async function checkPassword(
  db: Db,
  attempt: { email: string; password: string; address: string },
  client: HashingClient,
): Promise<VerifiedUser | undefined> {
  const attempt_key = { email_canonical: canonicalEmail(attempt.email), address: attempt.address }
  await requireHashingRoom(client, 'login')
  await requireNotThrottled(db, attempt_key)
  const verified = await inHashingSlot(client, 'login', async (slot) => {
    // Checked again in the slot: other attempts may have failed while this one waited.
    await requireNotThrottled(db, attempt_key)
    const user = await findCredentials(db, attempt_key.email_canonical)
    const matches = await slot.verify(attempt.password, user?.password_hash ?? dummyHash())
    return matches ? user : undefined
  })
  if (verified === undefined) await recordFailure(db, attempt_key)
  return verified
}

/**
 * For a change confirmed with the caller's password. A wrong one counts as a failed login. Returns
 * the verified hash, which the change compares again under the lock.
 */
export async function requireCurrentPassword(
  db: Db,
  caller: Caller,
  { password, address }: { password: string; address: string },
  client: HashingClient,
): Promise<string> {
  const { email } = await getUserById(db, caller.user_id)
  const verified = await checkPassword(db, { email, password, address }, client)
  if (verified?.id === caller.user_id) return verified.password_hash
  throw wrongCurrentPassword()
}
