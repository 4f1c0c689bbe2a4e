// Sends what waits. A worker takes a few emails under a lease, talks to the mail server outside of
// any database transaction, and writes down what became of each. If it dies between the server's
// 250 and that line, the lease runs out and the email is sent again: nobody can make the two one
// step. Its Message-ID is made from its cause, so that the second is known as the first.

import { setTimeout as sleep } from 'node:timers/promises'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import type { Db } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { isEmail } from '../primitives/email-address.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import { sha256 } from '../primitives/secrets.ts'
import { claimEmails, type EmailRotation } from './claim-emails.ts'
import type { DraftOptions } from './draft-email.ts'
import { deferEmail, type EmailOutcome, finishEmail, scheduleEmailRetry } from './queries.ts'
import { findExceededLimit } from './recipient-limits.ts'
import { renderEmail } from './render-email.ts'
import { attempts_max, waitAfter } from './retry-schedule.ts'
import { SmtpError, type SmtpTransport } from './smtp-transport.ts'
import { readEmail, type StoredEmail } from './stored-email.ts'

export interface EmailSenderParts extends DraftOptions {
  db: Db
  transport: SmtpTransport
  rotation: EmailRotation
  /** Distinct inboxes that one account may send to in a day. */
  recipients_max: number
  /** Why nobody needs the email any more, if so: what it asks for has happened, or is off. */
  findSuppression: (email: StoredEmail) => Promise<string | undefined>
  /** Told once a round when the server did not take emails, with what it said to one of them. */
  report?: (error: string, emails: number) => void
  pace?: EmailSenderPace
}

export interface EmailSenderPace {
  /** How long others leave an email to the worker that took it. */
  lease_ms: number
  /** When a round hangs up on a server that keeps it. */
  round_ms: number
}

// A round ends well within its lease, and leaves time to write down how it ended. A server that
// answers a word a minute, which no silence betrays, holds one round for this long.
const default_pace: EmailSenderPace = { lease_ms: 120_000, round_ms: 60_000 }

// Four for each connection. Fewer would wait for each other, more would wait for a slow one.
const emails_max = 20

// A worker that stops is given this long to end its conversations, so that few emails are sent
// again by the next.
const stop_ms = 4_000

export async function sendDue(
  parts: EmailSenderParts,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<JobResult> {
  const { lease_ms, round_ms } = parts.pace ?? default_pace
  const lease = { id: newRealTimeUuid(Date.now()), for_ms: lease_ms }
  const emails = await claimEmails(parts.db, parts.rotation, lease, emails_max)
  if (emails.length === 0) return { done: 0, more: false }
  const end = setTimeout(() => parts.transport.disconnect(), round_ms)
  const stop = () => setTimeout(() => parts.transport.disconnect(), stop_ms).unref()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const errors = await sendAll(parts, emails, lease.id)
    if (errors.length > 0) parts.report?.(errors[0]!, errors.length)
    // When the server took none, to go on at once would only be to knock at a closed door.
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
  const ended = await Promise.allSettled(emails.map((one) => sendOne(parts, one, lease_id)))
  // The email of a fault waits for its lease to run out, and does not hold the others up.
  const fault = ended.find((end) => end.status === 'rejected')
  if (fault !== undefined) throw fault.reason
  return ended.flatMap((end) => (end.status === 'fulfilled' && end.value) || [])
}

// A worker has four database clients, and each check of the limits is a transaction: twenty at once
// would wait for a client until they fail, and then for their leases.
const checkInTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: 60_000 })

/** Answers what the server said if it was asked, and took the email not yet or never. */
async function sendOne(
  parts: EmailSenderParts,
  email: StoredEmail,
  lease_id: string,
): Promise<string | null> {
  const checked = await checkInTurn(email.id, () => checkBeforeSend(parts, email, lease_id))
  if (checked === 'held') return null
  const outcome = checked ?? (await deliver(parts, email))
  await writeDown(async () => {
    if (typeof outcome === 'string') return endOrPostpone(parts.db, email, lease_id, outcome)
    return finishEmail(parts.db, email, lease_id, outcome)
  })
  if (checked !== undefined) return null
  return typeof outcome === 'string' ? outcome : outcome.error
}

/** Why it will not be sent, ever or now; undefined when it may go. */
async function checkBeforeSend(
  parts: EmailSenderParts,
  email: StoredEmail,
  lease_id: string,
): Promise<EmailOutcome | 'held' | undefined> {
  if (!isEmail(email.recipient)) return failed('The recipient is not an email address.')
  if (email.attempts > attempts_max) return failed(email.error ?? 'It was tried too often.')
  if (hasRunOut(email)) return failed('The link in it ran out before it could be sent.')
  const end = await parts.findSuppression(email)
  if (end !== undefined) return { state: 'suppressed', error: end }
  // Counted at the first try; the others are for the same email.
  if (email.attempts > 1) return undefined
  const limit = await findExceededLimit(parts.db, email, parts.recipients_max)
  if (limit === undefined) return undefined
  const waits = `Held back: ${limit.sentence}`
  if (limit.is_shared && (await hold(parts.db, email, lease_id, waits))) return 'held'
  return { state: 'suppressed', error: `Suppressed: ${limit.sentence}` }
}

// What others have used up is free again within the hour, or the day.
const held_ms = 15 * 60_000

async function hold(db: Db, email: StoredEmail, lease_id: string, error: string): Promise<boolean> {
  const wait_ms = Math.round(held_ms * (0.8 + 0.4 * Math.random()))
  return deferEmail(db, email, lease_id, { wait_ms, error })
}

// In real time, which the sandbox's clock is never behind: no link is thought dead that is not.
function hasRunOut(email: StoredEmail): boolean {
  const { facts } = readEmail(email)
  return 'expires_at' in facts && new Date(facts.expires_at).getTime() < Date.now()
}

function failed(error: string): EmailOutcome {
  return { state: 'failed', error }
}

/** How it ended, or what the server said if it may take it later. */
async function deliver(
  parts: EmailSenderParts,
  email: StoredEmail,
): Promise<EmailOutcome | string> {
  const { transport } = parts
  const message_id = `<${causeHash(email)}@${transport.domain}>`
  try {
    const written = renderEmail(readEmail(email), parts)
    await transport.send({ ...written, to: email.recipient, message_id })
    return { state: 'sent', error: null }
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    return error.is_permanent ? failed(error.message) : error.message
  }
}

function causeHash({ account_id, cause }: StoredEmail): string {
  return sha256(`${account_id} ${cause}`).toString('hex', 0, 20)
}

async function endOrPostpone(
  db: Db,
  email: StoredEmail,
  lease_id: string,
  error: string,
): Promise<void> {
  const wait_ms = waitAfter(email.attempts, Math.random())
  if (wait_ms === undefined) return finishEmail(db, email, lease_id, failed(error))
  return scheduleEmailRetry(db, email, lease_id, { wait_ms, error })
}

// A database that is away for a moment must not make an email that was sent be sent again. All
// tries together end within the lease.
const write_again_ms = [500, 2_000, 5_000]

async function writeDown(write: () => Promise<void>): Promise<void> {
  for (const wait_ms of write_again_ms) {
    try {
      return await write()
    } catch {
      await sleep(wait_ms)
    }
  }
  await write()
}
