// The email outbox. Emails are queued in the database transaction of the change that causes them.
// The worker sends them later: see send-due.ts.

import { retrySchedule } from '../outbox/retry-schedule.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { inSlices, type Sweep, sweepRows } from '../postgres/sweep.ts'
import { firstUuidAt, newUuid } from '../primitives/ids.ts'
import type { Email } from './email.ts'
import { sendNewEmails } from './new-email-queries.ts'
import {
  old_counts,
  oldEmails,
  selectEmailDelivery,
  setEmailDelivery,
  storeQueuedEmails,
} from './queries.ts'

export { countQueuedEmails } from './queries.ts'

export function queueEmails(tx: Tx, emails: Email[]): void {
  if (emails.length === 0) return
  const at_ms = tx.now.getTime()
  const ids = emails.map(() => newUuid(at_ms))
  sendNewEmails(tx, emails, ids)
}

/**
 * The first retries cover a server restart and greylisting. After ten attempts over three days the
 * email fails.
 */
export const email_retries = retrySchedule('1m 5m 15m 1h 3h 6h 12h 24h 24h')

/**
 * Called when a server with a mail server configured starts. The server enables delivery itself, so
 * that emails queued before the worker starts are sent and not just stored. The switch is in the
 * database, because every process that queues an email needs it.
 */
export async function enableEmailDelivery(db: Db): Promise<void> {
  await setEmailDelivery(db, true)
}

/**
 * Called by a worker without a mail server. Queued and new emails are stored and never sent, even
 * if a mail server is configured later: their content could be outdated by then.
 */
export const disableEmailDelivery: Sweep = async (db, signal) => {
  await setEmailDelivery(db, false)
  // In short statements: an outage of several days leaves many emails.
  return inSlices(1_000, signal, (limit) => storeQueuedEmails(db, limit))
}

/**
 * Emails that the work queues are stored and never sent. For demo data: `db` is one database
 * transaction, so no other process sees the switch.
 */
export async function withoutDelivery<Result>(db: Db, work: () => Promise<Result>) {
  const enabled = await selectEmailDelivery(db)
  await setEmailDelivery(db, false)
  const result = await work()
  await setEmailDelivery(db, enabled)
  return result
}

// Emails contain addresses and secret links. The same retention as events, three times the lifetime
// of a payment link. Counted in real time: a sandbox clock that jumps a year ahead must not delete
// recent emails.
const retention_ms = 90 * 86_400_000

export const sweepEmails: Sweep = (db, signal) =>
  sweepRows(db, [old_counts, oldEmails(firstUuidAt(Date.now() - retention_ms))], signal)
