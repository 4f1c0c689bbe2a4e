// Logs the caller out everywhere: ends all sessions, including the current one. API keys stay
// valid.

import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db } from '../../postgres/database.ts'
import type { Caller } from '../caller.ts'
import { requireLiveToken } from '../sessions/require-live-token.ts'
import { lockSessionsIn, revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { lockUser } from '../users/credentials.ts'

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
