// The link of an invitation. It works once, while the account is active and the person who invited
// may still invite.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { sha256 } from '../../primitives/secrets.ts'
import { permissions } from '../permissions.ts'
import { anonymous } from '../sessions/actor.ts'
import { addUser } from '../users/add-user.ts'
import { requireRoomForMember } from '../users/create-user.ts'
import { lockUser } from '../users/credentials.ts'
import { findUser } from '../users/get-user.ts'
import { type HashingClient, hashPassword } from '../users/password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from '../users/password-policy.ts'
import type { UserRow } from '../users/user.ts'
import {
  deleteInvitation,
  type InvitationRow,
  old_invitations,
  selectInvitationByToken,
} from './invitation-queries.ts'
import { invalidLink } from './link.ts'

/** The invitation of the link, or undefined if the link is invalid. */
export async function findInvitation(
  db: Queryable,
  token: string,
): Promise<InvitationRow | undefined> {
  const row = await selectInvitationByToken(db, sha256(token))
  const inviter = row && (await findUser(db, row.invited_by))
  return inviter && mayInvite(inviter, row) ? row : undefined
}

/** The person who invited may have been suspended or have lost the role since. */
function mayInvite(inviter: UserRow, { account_id }: InvitationRow): boolean {
  if (inviter.status !== 'active') return false
  const reach = permissions.manage_invitations[inviter.role]
  return reach === 'header' || (reach === 'account' && inviter.account_id === account_id)
}

interface Acceptance {
  request_id: string
  token: string
  name: string | null
  password: string
  policy: PasswordPolicy
  client: HashingClient
}

/**
 * Creates the user. Throws not_found for an invalid link, and email_exists if the address is in use
 * by now.
 */
export async function acceptInvitation(db: Db, acceptance: Acceptance): Promise<UserRow> {
  const { token, request_id, name, password, policy, client } = acceptance
  const seen = await findInvitation(db, token)
  if (seen === undefined) throw invalidLink()
  requireAcceptablePassword(password, policy, seen.email)
  const password_hash = await hashPassword(password, client)
  return db.transaction(async (tx) => {
    const { account_id } = seen
    const lock = await lockAccountIfExists(tx, account_id)
    if (lock === undefined || lock.status !== 'active') throw invalidLink()
    const inviter = await lockUser(tx, seen.invited_by)
    // Read under the lock: the second of two concurrent uses fails.
    const row = await findInvitation(tx, token)
    if (!row || !inviter || !mayInvite(inviter, row)) throw invalidLink()
    await requireRoomForMember(tx, lock)
    const { email, role, invited_by } = row
    const actor = anonymous(request_id)
    await deleteInvitation(tx, account_id, row.id)
    const details = { email, role, invited_by: toTypeId('user', invited_by) }
    const entry = { object_id: row.id, account_id, details }
    await recordAuditEntry(tx, actor, { action: 'invitation.accepted', ...entry })
    return addUser(tx, actor, lock, { email, name, password_hash, role })
  })
}

export const sweepInvitations: Sweep = (db, signal) => sweepRows(db, [old_invitations], signal)
