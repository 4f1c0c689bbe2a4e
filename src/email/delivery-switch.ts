// Whether emails leave this machine. The database knows it, for every process that queues one.

import { removeInSlices } from '../jobs/in-slices.ts'
import type { Db } from '../postgres/database.ts'
import { setEmailDelivery, storeQueuedEmails } from './queries.ts'

/**
 * At the start of a server that is told of a mail server. It only ever turns the route on, so that
 * no email is kept because the worker started a second later.
 */
export async function enableEmailDelivery(db: Db): Promise<void> {
  await setEmailDelivery(db, true)
}

/**
 * By a worker without a mail server: what waits is kept, and what comes. It is not sent later by a
 * worker that has one, since an email of last month would say what is no longer true.
 */
export async function disableEmailDelivery(db: Db, signal?: AbortSignal): Promise<number> {
  await setEmailDelivery(db, false)
  return removeInSlices({ limit, signal, remove: (most) => storeQueuedEmails(db, most) })
}

// Short statements: a mail server that was away for days leaves many.
const limit = 1_000
