// Whether emails are sent. Stored in the database, because every process that queues one needs it.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { setEmailDelivery, storeQueuedEmails } from './queries.ts'

/**
 * Called when a server with a mail server configured starts. The server enables delivery itself, so
 * that emails queued before the worker starts are sent and not just stored.
 */
export async function enableEmailDelivery(db: Db): Promise<void> {
  await setEmailDelivery(db, true)
}

/**
 * Called by a worker without a mail server. Queued and new emails are stored and never sent, even
 * if a mail server is configured later: their content could be outdated by then.
 */
export async function disableEmailDelivery(db: Db, signal?: AbortSignal): Promise<number> {
  await setEmailDelivery(db, false)
  return removeInSlices({ limit, signal, remove: (slice_max) => storeQueuedEmails(db, slice_max) })
}

// Keeps statements short: an outage of several days leaves many emails.
const limit = 1_000
