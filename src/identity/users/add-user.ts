// Adds a user inside the caller's transaction: claims the email address, inserts the row, records
// the change, updates the counter. All code paths that create a single user use this.

import { type Actor, recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { appendEvent, raiseLastAt } from '../../ledger/account-lock.ts'
import { isClosed } from '../../ledger/closings.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Queryable, Tx } from '../../postgres/database.ts'
import { changeCounts } from '../../postgres/list-counts.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { newUuid, timeOfUuid, toTypeId, uuidAfter } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Role } from '../caller.ts'
import { changeTime } from './change-time.ts'
import {
  type EmailHolder,
  insertEmailClaim,
  insertUser,
  selectEmailHolder,
  selectNewestUserId,
  updateEmailClaim,
} from './queries.ts'
import { presentUser, searchText, type UserRow, type UserStatus } from './user.ts'

interface NewUser {
  email: string
  name: string | null
  password_hash: string
  role: Role
  /** Default: active. */
  status?: UserStatus
  /** The API key that created the user. */
  created_by_key_id?: string | null
}

/** With a lock, the user belongs to that account; without one, to no account. */
export async function addUser(
  tx: Tx,
  actor: Actor,
  lock: AccountLock | undefined,
  user: NewUser,
): Promise<UserRow> {
  const newest = lock && (await selectNewestUserId(tx, lock.account_id))
  const id = uuidAfter(newest, newUuid(changeTime(tx, lock).getTime()))
  const row: UserRow = {
    id,
    account_id: lock?.account_id ?? null,
    role: user.role,
    status: user.status ?? 'active',
    email: user.email,
    name: user.name,
    updated_at: timeOfUuid(id),
    created_by_key_id: user.created_by_key_id ?? null,
  }
  if (lock) raiseLastAt(lock, row.updated_at)
  await claimEmail(tx, user.email, row.id)
  const email_canonical = canonicalEmail(user.email)
  await insertUser(tx, {
    ...row,
    email_canonical,
    password_hash: user.password_hash,
    search: searchText(row),
  })
  await recordUserChange(tx, actor, lock, 'user.created', row, { role: row.role })
  await changeCounts(tx, [{ list: 'users', status: row.status, type: '', id: row.id, by: 1 }])
  return row
}

export async function claimEmail(tx: Tx, email: string, user_id: string): Promise<void> {
  const canonical = canonicalEmail(email)
  // Retries, because the clean-up of a closed account may delete the claim between two statements.
  for (;;) {
    if (await insertEmailClaim(tx, canonical, user_id)) return
    const holder = await selectEmailHolder(tx, canonical)
    if (holder === undefined) continue
    if (!(await isFreed(tx, holder))) throw emailExists()
    if (await updateEmailClaim(tx, canonical, { from: holder.user_id, to: user_id })) return
  }
}

/** Once the account is closed, the addresses of its users are free, except a verified owner's. */
async function isFreed(db: Queryable, holder: EmailHolder): Promise<boolean> {
  return holder.role !== null && freesEmail(holder) && isClosed(db, holder.account_id)
}

/** Whether the end of the account frees the user's address. An owner's stays in use if verified. */
export function freesEmail({ role, status }: Pick<EmailHolder, 'role' | 'status'>): boolean {
  return role !== 'owner' || status === 'pending'
}

/** For an address that is claimed later, and to fail before an expensive password hash. */
export async function requireFreeEmail(db: Queryable, email: string): Promise<void> {
  const holder = await selectEmailHolder(db, canonicalEmail(email))
  if (holder !== undefined && !(await isFreed(db, holder))) throw emailExists()
}

function emailExists(): Refusal {
  return new Refusal(
    'email_exists',
    'This email address is already in use. Use another one, or log in.',
  )
}

/**
 * Appends an event if the user belongs to an account. Writes an audit entry if the user has no
 * account, or if an admin or a platform made the change.
 */
export async function recordUserChange(
  tx: Tx,
  actor: Actor,
  lock: AccountLock | undefined,
  type: 'user.created' | 'user.updated' | 'user.deleted',
  row: UserRow,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (lock) await appendEvent(tx, lock, { type, object_id: row.id, data: presentUser(row) })
  if (!lock || actor.role === 'admin' || actor.role === 'platform') {
    const account_id = row.account_id
    await recordAuditEntry(tx, actor, { action: type, object_id: row.id, account_id, details })
  }
}

export function unknownUser(): Refusal {
  return new Refusal('not_found', `No user with this id exists. User ids look like ${exampleId}.`)
}

const exampleId = toTypeId('user', '01890a5d-ac96-774b-bcce-b302099a8057')
