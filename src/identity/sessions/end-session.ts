// DELETE /v1/auth/session: the current session, or another one of the same user.

import { changeOnce } from '../../idempotency/change-once.ts'
import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db } from '../../postgres/database.ts'
import { findUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { liveSince } from './list-sessions.ts'
import { selectSession } from './queries.ts'
import { requireLiveToken } from './require-live-token.ts'
import { endSessions, lockSessionsIn } from './revoke-sessions.ts'

export async function endSession(
  db: Db,
  caller: Caller,
  session_id: string | undefined,
): Promise<{ message: string; session_id: string }> {
  const id = session_id === undefined ? caller.principal_id : findUuid('session', session_id)
  if (id === undefined) throw unknownSession()
  let moved_to: string | undefined
  const ended = await changeOnce(db, caller.idempotency, async (tx) => {
    // Every revocation takes the account lock, so no queued write commits with a revoked token.
    if (caller.account_id !== null) await lockAccountIfExists(tx, caller.account_id)
    // Before the shared lock of requireLiveToken: two requests with one token would deadlock.
    const ids = [caller.principal_id, id]
    moved_to = await lockSessionsIn(tx, caller.user_id, caller.account_id, ids)
    if (moved_to !== undefined) return undefined
    await requireLiveToken(tx, caller)
    const session = await selectSession(tx, caller.user_id, id, liveSince(new Date()))
    if (session === undefined) throw unknownSession()
    await endSessions(tx, [id])
    return { message: 'The session has ended.', session_id: toTypeId('session', id) }
  })
  return ended ?? endSession(db, { ...caller, account_id: moved_to! }, session_id)
}

function unknownSession(): Refusal {
  return new Refusal(
    'invalid_session',
    'You have no active session with this id. List your sessions with GET /v1/auth/sessions.',
  )
}
