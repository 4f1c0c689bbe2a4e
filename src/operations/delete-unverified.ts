// Deletes sign-ups whose email address was not verified in time, so that the address is free again.
// An owner's account is closed: that deletes the user, and the account has no money.

import { deleteLinks } from '../identity/one-time-links/link.ts'
import { listUnverifiedUsers } from '../identity/one-time-links/verify-email.ts'
import { worker } from '../identity/sessions/actor.ts'
import { deleteUnverifiedUser, isUntouchedSignUp } from '../identity/users/delete-user.ts'
import { findUser } from '../identity/users/get-user.ts'
import { lockWithSessions } from '../identity/users/lock-for-change.ts'
import type { UserRow } from '../identity/users/user.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type CleanUpParts, cleanUpInline } from './clean-up.ts'
import { closeLocked } from './close-account.ts'

const users_max = 100

export async function deleteUnverifiedJob(
  parts: CleanUpParts,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<JobResult> {
  const user_ids = await listUnverifiedUsers(parts.db, users_max)
  let done = 0
  for (const user_id of user_ids) {
    if (signal.aborted) break
    if (await deleteUnverified(parts, user_id)) done += 1
  }
  return { done, more: false }
}

/** Deletes the expired links too, so the next round does not find the user again. */
async function deleteUnverified(parts: CleanUpParts, user_id: string): Promise<boolean> {
  const { db } = parts
  const seen = await findUser(db, user_id)
  if (seen === undefined || !isUntouchedSignUp(seen)) {
    await db.transaction((tx) => deleteLinks(tx, user_id))
    return false
  }
  if (seen.account_id === null) return db.transaction((tx) => deleteUnverifiedUser(tx, seen))
  const is_closed = await closeUnverified(db, seen)
  if (is_closed) await cleanUpInline(parts, seen.account_id)
  return is_closed
}

async function closeUnverified(db: Db, seen: UserRow): Promise<boolean> {
  try {
    return await db.transaction((tx) => closeAccountOf(tx, seen))
  } catch (error) {
    // An admin or a platform has used the account meanwhile, for example for a subscription.
    if (error instanceof Refusal) return false
    throw error
  }
}

async function closeAccountOf(tx: Tx, seen: UserRow): Promise<boolean> {
  const { lock, row, moved } = await lockWithSessions(tx, seen)
  if (!lock || !row || moved || !isUntouchedSignUp(row)) return false
  await deleteLinks(tx, row.id)
  await closeLocked(tx, worker, lock)
  return true
}
