// Step-up: some changes need a login, or a confirmation, of the last ten minutes. A stolen cookie
// or an unlocked computer is then not enough to take over the user or the account (RFC 9470).

import type { Queryable, Tx } from '../../postgres/database.ts'
import { timeOfUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { selectAuthenticatedAt, updateAuthenticatedAt } from './queries.ts'

const max_age_s = 600

/** Refreshing tokens does not renew a login. */
export async function requireFreshLogin(db: Queryable, caller: Caller): Promise<void> {
  // The id of a session contains the time of its login.
  const confirmed_at = await selectAuthenticatedAt(db, caller.principal_id)
  const at = confirmed_at ?? timeOfUuid(caller.principal_id)
  if (Date.now() - at.getTime() < max_age_s * 1_000) return
  throw new Refusal(
    'unauthorized',
    `This needs a login within the last ${max_age_s / 60} minutes. Log in again, or confirm your ` +
      'password or a second factor in the dashboard.',
    { needs_login: { max_age_s } },
  )
}

/** The user has entered a credential again. The user's row must be locked. */
export function renewLogin(tx: Tx, session_id: string): Promise<void> {
  return updateAuthenticatedAt(tx, session_id, new Date())
}
