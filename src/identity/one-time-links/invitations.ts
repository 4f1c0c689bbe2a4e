// Invitations to join an account: the owner names an email and a role, and the invited person
// chooses the password. See accept-invitation.ts for the link.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { queueEmails } from '../../email/outbox.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../../primitives/cursor.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { findUuid, newRealTimeUuid, timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { newSecret, sha256 } from '../../primitives/secrets.ts'
import { toIso } from '../../primitives/time.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../acting-account.ts'
import type { Caller } from '../caller.ts'
import { actorOf } from '../sessions/actor.ts'
import { requireFreeEmail } from '../users/add-user.ts'
import { requireRoomForMember } from '../users/create-user.ts'
import {
  countInvitations,
  deleteInvitation,
  type InvitationRow,
  insertInvitation,
  selectInvitation,
  selectInvitations,
} from './invitation-queries.ts'
import type { LinkLocale } from './link.ts'

interface Invitation {
  id: string
  email: string
  role: 'member' | 'viewer'
  /** The user who invited. */
  invited_by: string
  created_at: string
  expires_at: string
}

interface InvitationParts {
  db: Db
  public_url: string
  /** The name, language and time zone of the account, for the email. */
  findRecipient(
    db: Queryable,
    account_id: string,
  ): Promise<(LinkLocale & { account_name: string }) | undefined>
}

interface InvitationInput {
  email: string
  role: 'member' | 'viewer'
}

const lifetime_ms = 7 * 86_400_000

// Each sends an email to an address that the account chose.
const open_max = 100

export async function createInvitation(
  parts: InvitationParts,
  caller: Caller,
  input: InvitationInput,
): Promise<Invitation> {
  return changeInvitations(parts.db, caller, async (tx, lock) => {
    await requireRoomForMember(tx, lock)
    await requireFreeEmail(tx, input.email)
    if ((await countInvitations(tx, lock.account_id)) >= open_max) throw tooMany()
    const token = newSecret('')
    const now_ms = Date.now()
    const row: InvitationRow = {
      account_id: lock.account_id,
      id: newRealTimeUuid(now_ms),
      ...input,
      invited_by: caller.user_id,
      expires_at: new Date(now_ms + lifetime_ms),
    }
    const email_canonical = canonicalEmail(input.email)
    await insertInvitation(tx, { ...row, email_canonical, token_hash: sha256(token) })
    await sendInvitation(tx, parts, row, token)
    await record(tx, caller, 'invitation.created', row)
    return present(row)
  })
}

async function sendInvitation(
  tx: Tx,
  { public_url, findRecipient }: InvitationParts,
  { account_id, id, email, expires_at }: InvitationRow,
  token: string,
): Promise<void> {
  const account = await findRecipient(tx, account_id)
  if (account === undefined) throw new Error(`${account_id} is open but was not found`)
  const { account_name, language, timezone } = account
  const url = `${public_url}/join/${token}`
  queueEmails(tx, [
    {
      cause: `invitation ${toTypeId('invitation', id)}`,
      account_id,
      to: email,
      language,
      timezone,
      kind: 'invitation',
      facts: { account_name, url, expires_at: toIso(expires_at) },
    },
  ])
}

/** Open invitations, newest first. */
export async function listInvitations(
  db: Db,
  caller: Caller,
  query: CursorQuery,
): Promise<CursorPage<Invitation>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await pageByCursor(query, 'invitation', {
    exists: async (id) => (await selectInvitation(db, account_id, id)) !== undefined,
    select: (range) => selectInvitations(db, account_id, range),
  })
  return { ...page, data: page.data.map(present) }
}

/** The link stops working immediately. */
export async function revokeInvitation(
  db: Db,
  caller: Caller,
  invitation_id: string,
): Promise<{ message: string; id: string }> {
  const id = requireInvitationId(invitation_id)
  return changeInvitations(db, caller, async (tx, lock) => {
    const row = await selectInvitation(tx, lock.account_id, id)
    if (row === undefined) throw unknownInvitation()
    await deleteInvitation(tx, lock.account_id, id)
    await record(tx, caller, 'invitation.revoked', row)
    return { message: 'The invitation has been revoked.', id: toTypeId('invitation', id) }
  })
}

/** A malformed id is rejected before the body is validated. */
export function requireInvitationId(text: string): string {
  const id = findUuid('invitation', text)
  if (id === undefined) throw unknownInvitation()
  return id
}

function changeInvitations<Result>(
  db: Db,
  caller: Caller,
  change: (tx: Tx, lock: AccountLock) => Promise<Result>,
): Promise<Result> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) =>
    change(tx, await lockOpenAccount(tx, caller, account_id)),
  )
}

async function record(
  tx: Tx,
  caller: Caller,
  action: 'invitation.created' | 'invitation.revoked',
  { id: object_id, account_id, email, role }: InvitationRow,
): Promise<void> {
  const entry = { action, object_id, account_id, details: { email, role } }
  await recordAuditEntry(tx, actorOf(caller), entry)
}

function present(row: InvitationRow): Invitation {
  return {
    id: toTypeId('invitation', row.id),
    email: row.email,
    role: row.role,
    invited_by: toTypeId('user', row.invited_by),
    created_at: toIso(timeOfUuid(row.id)),
    expires_at: toIso(row.expires_at),
  }
}

function tooMany(): Refusal {
  return new Refusal(
    'conflict',
    `An account can have at most ${open_max} open invitations. Revoke one first.`,
  )
}

function unknownInvitation(): Refusal {
  return new Refusal('not_found', 'No open invitation with this id exists in the account.')
}
