// Sets a new password with a link from an email. Ends all sessions; API keys stay valid. It does
// not log in, and two-factor authentication stays as it is: the link proves access to one inbox.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { service_account_id } from '../../email/email.ts'
import { queueEmails } from '../../email/outbox.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { newUuid } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import { anonymous } from '../sessions/actor.ts'
import { isRevokedCreator } from '../sessions/revoke-sessions.ts'
import { changeTime } from '../users/change-time.ts'
import { findUser } from '../users/get-user.ts'
import { lockWithSessions } from '../users/lock-for-change.ts'
import { type HashingClient, hashPassword } from '../users/password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from '../users/password-policy.ts'
import { saveUser } from '../users/update-user.ts'
import type { UserRow, UserStatus } from '../users/user.ts'
import { deleteLinks, findLink, invalidLink, isBoundTo, serviceName } from './link.ts'
import { selectLinkOfUser } from './queries.ts'

/** Whose password the link would set, or undefined if the link is invalid. */
export async function findPendingReset(
  db: Db,
  token: string,
): Promise<{ email: string } | undefined> {
  const link = await findLink(db, 'password_reset', token)
  const user = link && (await findUser(db, link.user_id))
  return user === undefined || user.status === 'suspended' ? undefined : { email: user.email }
}

interface PasswordReset {
  request_id: string
  token: string
  password: string
  policy: PasswordPolicy
  client: HashingClient
  public_url: string
}

/** Throws not_found for an invalid link, and invalid_request for an unacceptable password. */
export async function resetPassword(db: Db, reset: PasswordReset): Promise<void> {
  const pending = await findPendingReset(db, reset.token)
  if (pending === undefined) throw invalidLink()
  requireAcceptablePassword(reset.password, reset.policy, pending.email)
  const password_hash = await hashPassword(reset.password, reset.client)
  for (;;) {
    const link = await findLink(db, 'password_reset', reset.token)
    const seen = link && (await findUser(db, link.user_id))
    if (seen === undefined) throw invalidLink()
    if (await db.transaction((tx) => setPassword(tx, reset, seen, password_hash))) return
  }
}

/** Returns false if the locks must be taken again. */
async function setPassword(
  tx: Tx,
  { request_id, token, public_url }: PasswordReset,
  seen: UserRow,
  password_hash: string,
): Promise<boolean> {
  const { lock, key_locks, row, moved } = await lockWithSessions(tx, seen)
  if (moved) return false
  // Read under the lock: the second of two concurrent uses fails.
  const link = await findLink(tx, 'password_reset', token)
  if (!link || !row || link.user_id !== row.id) throw invalidLink()
  if (!isBoundTo(link, row) || (await isSuspended(tx, row))) throw invalidLink()
  const updated_at = changeTime(tx, lock, row)
  const after = { ...row, status: await statusAfterReset(tx, row), password_hash, updated_at }
  const actor = anonymous(request_id)
  await deleteLinks(tx, row.id)
  const { id: object_id, account_id, email } = row
  await recordAuditEntry(tx, actor, { action: 'user.password_reset', object_id, account_id })
  const { language, timezone } = link
  queueEmails(tx, [
    {
      cause: `password_changed ${newUuid(tx.now.getTime())}`,
      account_id: service_account_id,
      to: email,
      language,
      timezone,
      kind: 'password_changed',
      facts: {
        account_name: serviceName(public_url),
        email,
        changed_at: toIso(updated_at),
      },
    },
  ])
  await saveUser(tx, actor, { lock, key_locks }, row, after)
  return true
}

/**
 * The link proves that the address belongs to a user who signed up. An admin or an owner can also
 * set a user to pending; only they end that.
 */
async function statusAfterReset(tx: Tx, { id, status }: UserRow): Promise<UserStatus> {
  if (status !== 'pending') return status
  const verification = await selectLinkOfUser(tx, 'email_verification', id, new Date())
  return verification === undefined ? 'pending' : 'active'
}

/** A user whose creating API key was revoked counts as suspended before the row is updated. */
async function isSuspended(tx: Tx, { status, created_by_key_id }: UserRow): Promise<boolean> {
  if (status === 'suspended') return true
  return created_by_key_id !== null && isRevokedCreator(tx, created_by_key_id)
}
