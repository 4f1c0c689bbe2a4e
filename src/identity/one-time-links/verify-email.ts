// Email verification. In live mode a user who signs up without a token is pending until a link
// proves that the address is theirs. The page of the link also requires the password: otherwise
// someone could sign up with another person's address and wait for them to confirm it.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { service_account_id } from '../../email/email.ts'
import { queueEmails } from '../../email/outbox.ts'
import { countLinkRequest } from '../../email/recipient-limits.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { newUuid } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import { checkPassword } from '../login/check-password.ts'
import { anonymous } from '../sessions/actor.ts'
import { changeTime } from '../users/change-time.ts'
import { findCredentials, lockUser } from '../users/credentials.ts'
import { findUser } from '../users/get-user.ts'
import { lockWithSessions } from '../users/lock-for-change.ts'
import type { HashingClient } from '../users/password.ts'
import { saveUser } from '../users/update-user.ts'
import type { UserRow } from '../users/user.ts'
import {
  createLink,
  default_locale,
  deleteLinks,
  findLink,
  invalidLink,
  isBoundTo,
  type LinkLocale,
  serviceName,
} from './link.ts'
import { selectLinkOfUser, selectUnverifiedUsers } from './queries.ts'

/** A new user is active at once in sandbox, and after using a link under this URL in live mode. */
export type SignUpPolicy = 'active_at_once' | { verified_under: string }

// A sign-up that is not verified by then is deleted.
const lifetime_ms = 24 * 3_600_000

type PendingUser = Pick<UserRow, 'id' | 'email'> & { password_hash: string }

/**
 * Queues the email with the link, in the database transaction of the sign-up. Over the limit of the
 * inbox no email is sent: ann+1@ and ann+2@ are different users with one inbox. The link is stored
 * all the same, so signing up again later sends one.
 */
export async function requestVerification(
  tx: Tx,
  user: PendingUser,
  public_url: string,
  locale: LinkLocale = default_locale,
): Promise<void> {
  const expires_at = new Date(Date.now() + lifetime_ms)
  if (await countLinkRequest(tx, 'sign_up', user.email)) {
    await sendLink(tx, user, public_url, locale, expires_at)
  } else await createLink(tx, 'email_verification', user, locale, expires_at)
}

async function sendLink(
  tx: Tx,
  user: PendingUser,
  public_url: string,
  { language, timezone }: LinkLocale,
  expires_at: Date,
): Promise<void> {
  const locale = { language, timezone }
  const token = await createLink(tx, 'email_verification', user, locale, expires_at)
  const url = `${public_url}/verify/${token}`
  const { email } = user
  queueEmails(tx, [
    {
      ...locale,
      cause: `sign_up_verification ${newUuid(tx.now.getTime())}`,
      account_id: service_account_id,
      to: email,
      kind: 'sign_up_verification',
      facts: {
        account_name: serviceName(public_url),
        email,
        url,
        expires_at: toIso(expires_at),
      },
    },
  ])
}

/**
 * Sends another link if a pending user has this email, at most a few times per hour. It expires
 * with the first one. Does nothing for any other email.
 */
export async function resendVerification(db: Db, email: string, public_url: string): Promise<void> {
  const found = await findCredentials(db, canonicalEmail(email))
  if (found === undefined) return
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, found.id)
    if (user?.status !== 'pending') return
    const link = await selectLinkOfUser(tx, 'email_verification', user.id, new Date())
    // A user that an admin has set to pending has no link.
    if (link === undefined || !(await countLinkRequest(tx, 'sign_up', user.email))) return
    await sendLink(tx, user, public_url, link, link.expires_at)
  })
}

/**
 * For the sign-up page, which shows the same page for every email: an existing user gets an email
 * instead of an error. The operation has already sent a pending user another link.
 */
export async function notifyOfSignUp(
  db: Db,
  email: string,
  public_url: string,
  { language, timezone }: LinkLocale = default_locale,
): Promise<void> {
  const found = await findCredentials(db, canonicalEmail(email))
  if (found === undefined) return
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, found.id)
    if (user?.status !== 'active' || !(await countLinkRequest(tx, 'sign_up', user.email))) return
    const facts = {
      account_name: serviceName(public_url),
      email: user.email,
      url: `${public_url}/dashboard`,
    }
    queueEmails(tx, [
      {
        cause: `sign_up_attempt ${newUuid(tx.now.getTime())}`,
        account_id: service_account_id,
        to: user.email,
        language,
        timezone,
        kind: 'sign_up_attempt',
        facts,
      },
    ])
  })
}

/** The email that the link would verify, or undefined if the link is invalid. */
export async function findPendingVerification(
  db: Db,
  token: string,
): Promise<{ email: string } | undefined> {
  const link = await findLink(db, 'email_verification', token)
  const user = link && (await findUser(db, link.user_id))
  return user?.status === 'pending' ? { email: user.email } : undefined
}

interface Verification {
  request_id: string
  token: string
  password: string
  /** The IP address, for the login throttle. */
  address: string
  client: HashingClient
}

/**
 * Activates the user. Throws not_found for an invalid link. Returns undefined for a wrong password,
 * which counts as a failed login.
 */
export async function verifyEmail(
  db: Db,
  { request_id, token, password, address, client }: Verification,
): Promise<UserRow | undefined> {
  const pending = await findPendingVerification(db, token)
  if (pending === undefined) throw invalidLink()
  const { email } = pending
  const verified = await checkPassword(db, { email, password, address }, client)
  if (verified === undefined) return undefined
  for (;;) {
    const seen = await findUser(db, verified.id)
    if (seen === undefined) throw invalidLink()
    const activated = await db.transaction((tx) => activate(tx, request_id, token, seen))
    if (activated !== undefined) return activated
  }
}

/** Returns undefined if the locks must be taken again. */
async function activate(
  tx: Tx,
  request_id: string,
  token: string,
  seen: UserRow,
): Promise<UserRow | undefined> {
  const { lock, key_locks, row, moved } = await lockWithSessions(tx, seen)
  if (moved) return undefined
  // Read under the lock: the second of two concurrent confirmations fails.
  const link = await findLink(tx, 'email_verification', token)
  if (!link || !row || link.user_id !== row.id) throw invalidLink()
  if (row.status !== 'pending' || !isBoundTo(link, row)) throw invalidLink()
  const after = { ...row, status: 'active' as const, updated_at: changeTime(tx, lock, row) }
  const actor = anonymous(request_id)
  await deleteLinks(tx, row.id)
  const { id: object_id, account_id } = row
  await recordAuditEntry(tx, actor, { action: 'user.email_verified', object_id, account_id })
  await saveUser(tx, actor, { lock, key_locks }, row, after)
  return after
}

/** Users whose verification link has expired. They may have been activated or deleted since. */
export async function listUnverifiedUsers(db: Db, limit: number): Promise<string[]> {
  return (await selectUnverifiedUsers(db, limit)).map(({ user_id }) => user_id)
}
