// `florin admin reset-factors`: for a user who has lost all factors and recovery codes. Also ends
// the user's sessions, because the factors may be lost to another person.

import type { Db } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { operator } from '../sessions/actor.ts'
import { revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { findCredentials } from '../users/credentials.ts'
import { getUserById } from '../users/get-user.ts'
import { lockWithSessions } from '../users/lock-for-change.ts'
import { deleteFactorsOfUsers } from './recovery-codes.ts'
import { recordFactorChange } from './use-code.ts'

interface ResetFactors {
  id: string
  email: string
  /** How many there were. */
  factors: number
}

export async function resetFactors(db: Db, email: string): Promise<ResetFactors> {
  for (;;) {
    const found = await findCredentials(db, canonicalEmail(email))
    if (found === undefined) throw unknownEmail(email)
    const seen = await getUserById(db, found.id)
    const reset = await db.transaction(async (tx) => {
      const { row, moved } = await lockWithSessions(tx, seen)
      if (row === undefined) throw unknownEmail(email)
      if (moved) return undefined
      const factors = await deleteFactorsOfUsers(tx, [row.id])
      await revokeSessionsOfUser(tx, row.id)
      await recordFactorChange(tx, operator, row, 'factors_reset', { factors })
      return { id: toTypeId('user', row.id), email: row.email, factors }
    })
    if (reset !== undefined) return reset
  }
}

function unknownEmail(email: string): Refusal {
  return new Refusal('not_found', `No user has the email address ${email}.`)
}
