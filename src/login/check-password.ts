// The one place where a password is compared. Unknown, wrong and deleted take the same time and
// end in the same way, so that nobody learns which emails exist.

import type { Db } from '../postgres/database.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { findCredentials } from '../users/credentials.ts'
import {
  dummyHash,
  type HashingClient,
  inHashingSlot,
  requireHashingRoom,
} from '../users/password.ts'
import { recordFailure, requireNotThrottled } from './login-throttle.ts'

export interface VerifiedUser {
  id: string
  /** The hash that was verified: whoever acts on it compares it again under the user's lock. */
  password_hash: string
}

export async function checkPassword(
  db: Db,
  attempt: { email: string; password: string; address: string },
  client: HashingClient,
): Promise<VerifiedUser | undefined> {
  const guess = { email_canonical: canonicalEmail(attempt.email), address: attempt.address }
  await requireHashingRoom(client, 'login')
  await requireNotThrottled(db, guess)
  const verified = await inHashingSlot(client, 'login', async (slot) => {
    // Asked again with the slot in hand: while this guess waited, others may have failed.
    await requireNotThrottled(db, guess)
    const user = await findCredentials(db, guess.email_canonical)
    const right = await slot.verify(attempt.password, user?.password_hash ?? dummyHash)
    return right ? user : undefined
  })
  if (verified === undefined) await recordFailure(db, guess)
  return verified
}
