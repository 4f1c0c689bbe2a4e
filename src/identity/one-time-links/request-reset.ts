// Requests for a password reset. The response must not reveal whether a user has the address, not
// even by its time: each request runs the same statements, and the worker looks for the user later.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { service_account_id } from '../../email/email.ts'
import { queueEmails } from '../../email/outbox.ts'
import { countLinkAddress, countLinkRequest } from '../../email/recipient-limits.ts'
import type { JobContext, JobResult } from '../../jobs/timer.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { newUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { toIso } from '../../primitives/time.ts'
import { operator } from '../sessions/actor.ts'
import { findCredentials, lockUser } from '../users/credentials.ts'
import { createLink, default_locale, type LinkLocale, serviceName } from './link.ts'
import { insertResetRequest, takeResetRequest } from './queries.ts'

// Short: the email may be read by others later, and another link is one request away.
const lifetime_ms = 3_600_000

/** Requests over the limit of an IP address are ignored, with the same response. */
export async function requestPasswordReset(
  db: Db,
  { email, address }: { email: string; address: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await countLinkAddress(tx, address))) return
    await insertResetRequest(tx, canonicalEmail(email))
  })
}

interface ResetParts {
  db: Db
  public_url: string
  /** The language and time zone of an account; undefined if it is closed. */
  findLocale(db: Queryable, account_id: string): Promise<LinkLocale | undefined>
}

const requests_max = 100

/** A round of the worker. */
export async function sendResetLinks(
  parts: ResetParts,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<JobResult> {
  for (let done = 0; ; done++) {
    if (done === requests_max || signal.aborted) return { done, more: true }
    if (!(await parts.db.transaction((tx) => sendOne(tx, parts)))) return { done, more: false }
  }
}

/** Returns false if there is no request. */
async function sendOne(tx: Tx, parts: ResetParts): Promise<boolean> {
  const request = await takeResetRequest(tx)
  if (request === undefined) return false
  const user = await lockUserByEmail(tx, request.email_canonical)
  // A pending user proves with the link that the address is theirs.
  if (user === undefined || user.status === 'suspended') return true
  if (!(await countLinkRequest(tx, 'password_reset', user.email))) return true
  const { account_id, email } = user
  const found = account_id === null ? undefined : await parts.findLocale(tx, account_id)
  const { language, timezone } = found ?? default_locale
  const expires_at = new Date(Date.now() + lifetime_ms)
  const token = await createLink(tx, 'password_reset', user, { language, timezone }, expires_at)
  queueEmails(tx, [
    {
      cause: `password_reset ${newUuid(tx.now.getTime())}`,
      account_id: service_account_id,
      to: email,
      language,
      timezone,
      kind: 'password_reset',
      facts: {
        account_name: serviceName(parts.public_url),
        email,
        url: resetUrl(parts.public_url, token),
        expires_at: toIso(expires_at),
      },
    },
  ])
  return true
}

/**
 * `florin admin reset-link`, for an installation without a mail server. Shell access to the machine
 * is the only requirement.
 */
export async function createResetLink(
  db: Db,
  email: string,
  public_url: string,
): Promise<{ url: string; expires_at: string }> {
  return db.transaction(async (tx) => {
    const user = await lockUserByEmail(tx, canonicalEmail(email))
    if (user === undefined) throw new Refusal('not_found', `No user has the email ${email}.`)
    if (user.status === 'suspended') {
      throw new Refusal(
        'invalid_request',
        `The user ${email} is suspended. Activate the user, then create the link.`,
      )
    }
    const expires_at = new Date(Date.now() + lifetime_ms)
    const token = await createLink(tx, 'password_reset', user, default_locale, expires_at)
    const { id: object_id, account_id } = user
    const action = 'user.reset_link_created'
    await recordAuditEntry(tx, operator, { action, object_id, account_id })
    return { url: resetUrl(public_url, token), expires_at: toIso(expires_at) }
  })
}

async function lockUserByEmail(tx: Tx, email_canonical: string) {
  const found = await findCredentials(tx, email_canonical)
  return found && (await lockUser(tx, found.id))
}

function resetUrl(public_url: string, token: string): string {
  return `${public_url}/reset/${token}`
}
