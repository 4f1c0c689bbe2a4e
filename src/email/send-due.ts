// Sends queued emails. A worker claims a batch under a lease, sends outside of any database
// transaction, and records each outcome. Delivery is at least once: if the worker dies after the
// server's 250 and before the record, the lease expires and the email is sent again. The Message-ID
// is derived from the cause, so mail clients can recognize the duplicate.

import type { JobContext, JobResult } from '../jobs/timer.ts'
import { newLease, recordWithRetries } from '../outbox/lease.ts'
import { withJitter } from '../outbox/retry-schedule.ts'
import type { Db } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { isEmail } from '../primitives/email-address.ts'
import { sha256 } from '../primitives/secrets.ts'
import { claimEmails, type EmailRotation } from './claim-emails.ts'
import type { DraftOptions } from './draft.ts'
import { oneLine } from './draft-email.ts'
import { customer_kinds, type EmailBrand, isKnownKind } from './email.ts'
import { email_retries } from './outbox.ts'
import { deferEmail, type EmailOutcome, recordOutcome } from './queries.ts'
import { findExceededLimit } from './recipient-limits.ts'
import { renderEmail } from './render-email.ts'
import { SmtpError, type SmtpTransport } from './smtp-transport.ts'
import { contentWithoutLink, readEmail, type StoredEmail } from './stored-email.ts'

export interface EmailSenderParts extends DraftOptions {
  db: Db
  transport: SmtpTransport
  rotation: EmailRotation
  /** The number of distinct inboxes that one account can send to per day. */
  recipients_max: number
  /** Returns a reason if the email is obsolete, for example because the payment was made. */
  findSuppression: (email: StoredEmail) => Promise<string | undefined>
  /** The branding of an account, for emails to its customers. */
  findBrand?: (account_id: string) => Promise<EmailBrand | undefined>
  /** Called once per round if sends failed, with the first error and the number of emails. */
  report?: (error: string, emails: number) => void
  pace?: EmailSenderPace
}

export interface EmailSenderPace {
  /** How long a claimed email is reserved for its worker. */
  lease_ms: number
  /** A round that takes longer is disconnected from the server. */
  round_ms: number
}

// A round must end well within its lease, with time left to record the outcomes. The limit also
// covers a server that responds too slowly but never hits the socket timeout.
const default_pace: EmailSenderPace = { lease_ms: 120_000, round_ms: 60_000 }

// Four per connection. Fewer would leave connections idle; more would queue behind a slow one.
const emails_max = 20

// Grace period on shutdown, so that few emails are interrupted and sent twice.
const stop_ms = 4_000

export async function sendDue(
  parts: EmailSenderParts,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<JobResult> {
  const { lease_ms, round_ms } = parts.pace ?? default_pace
  const lease = newLease(lease_ms)
  const emails = await claimEmails(parts.db, parts.rotation, lease, emails_max)
  if (emails.length === 0) return { done: 0, more: false }
  const end = setTimeout(() => parts.transport.disconnect(), round_ms)
  const stop = () => setTimeout(() => parts.transport.disconnect(), stop_ms).unref()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const errors = await sendAll(parts, emails, lease.id)
    if (errors.length > 0) parts.report?.(errors[0]!, errors.length)
    // If every send failed, wait for the next round instead of retrying immediately.
    const more = emails.length === emails_max && errors.length < emails.length
    return { done: emails.length, more }
  } finally {
    clearTimeout(end)
    signal.removeEventListener('abort', stop)
  }
}

async function sendAll(
  parts: EmailSenderParts,
  emails: StoredEmail[],
  lease_id: string,
): Promise<string[]> {
  const results = await Promise.allSettled(emails.map((one) => sendOne(parts, one, lease_id)))
  // After an unexpected error, that email waits for its lease to expire. The others are done.
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return results.flatMap((result) => (result.status === 'fulfilled' && result.value) || [])
}

// Each limit check is a transaction, and a worker has four database connections. Twenty concurrent
// checks would time out waiting for a connection.
const enqueueCheck = createFairQueue({ concurrency_max: 2, wait_max_ms: 60_000 })

/** Returns the server's error if the send failed, permanently or not. */
async function sendOne(
  parts: EmailSenderParts,
  email: StoredEmail,
  lease_id: string,
): Promise<string | null> {
  const checked = await enqueueCheck(email.id, () => checkBeforeSend(parts, email, lease_id))
  if (checked === 'deferred') return null
  const outcome = checked ?? (await deliver(parts, email))
  const content = outcome.state === 'queued' ? undefined : contentWithoutLink(email)
  await recordWithRetries(() => recordOutcome(parts.db, email, lease_id, { ...outcome, content }))
  return checked === undefined ? outcome.error : null
}

/** Why the email must not be sent now or at all; undefined if it can be sent. */
async function checkBeforeSend(
  parts: EmailSenderParts,
  email: StoredEmail,
  lease_id: string,
): Promise<EmailOutcome | 'deferred' | undefined> {
  if (!isKnownKind(email.kind)) return leaveToNextVersion(parts, email, lease_id)
  if (!isEmail(email.recipient)) return failed('The recipient is not an email address.')
  if (email.attempts > email_retries.attempts_max)
    return failed(email.error ?? 'The maximum number of attempts was reached.')
  if (isExpired(email)) return failed('The link expired before the email could be sent.')
  const reason = await parts.findSuppression(email)
  if (reason !== undefined) return { state: 'suppressed', error: reason }
  // Counted on the first attempt only. Retries are the same email.
  if (email.attempts > 1) return undefined
  const limit = await findExceededLimit(parts.db, email, parts.recipients_max)
  if (limit === undefined) return undefined
  const error = `Deferred: ${limit.sentence}`
  const wait_ms = withJitter(defer_ms)
  if (limit.is_shared && (await deferEmail(parts.db, email, lease_id, { wait_ms, error })))
    return 'deferred'
  return { state: 'suppressed', error: `Suppressed: ${limit.sentence}` }
}

async function leaveToNextVersion(
  parts: EmailSenderParts,
  email: StoredEmail,
  lease_id: string,
): Promise<EmailOutcome | 'deferred'> {
  const error = 'This version of Florin cannot send this kind of email.'
  const wait_ms = withJitter(10_000)
  return (await deferEmail(parts.db, email, lease_id, { wait_ms, error }))
    ? 'deferred'
    : failed(error)
}

// Shared limits free up within an hour or a day.
const defer_ms = 15 * 60_000

// Uses real time. The sandbox clock is never behind it, so a valid link never counts as expired.
function isExpired(email: StoredEmail): boolean {
  const { facts } = readEmail(email)
  return 'expires_at' in facts && new Date(facts.expires_at).getTime() < Date.now()
}

function failed(error: string): EmailOutcome {
  return { state: 'failed', error }
}

async function deliver(parts: EmailSenderParts, email: StoredEmail): Promise<EmailOutcome> {
  const { transport } = parts
  const message_id = `<${causeHash(email)}@${transport.domain}>`
  try {
    const is_branded = customer_kinds.has(email.kind)
    const brand = is_branded ? await parts.findBrand?.(email.account_id) : undefined
    const rendered = renderEmail(readEmail(email), parts, brand)
    const reply_to = brand && { name: senderName(email), address: brand.support_email }
    await transport.send({ ...rendered, to: email.recipient, reply_to, message_id })
    return { state: 'sent', error: null }
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const wait_ms = error.is_permanent ? undefined : email_retries.waitAfter(email.attempts)
    if (wait_ms === undefined) return failed(error.message)
    return { state: 'queued', error: error.message, wait_ms }
  }
}

/** The account's name when the email was queued. */
function senderName(email: StoredEmail): string {
  return oneLine(readEmail(email).facts.account_name)
}

function causeHash({ account_id, cause }: StoredEmail): string {
  return sha256(`${account_id} ${cause}`).toString('hex', 0, 20)
}
