// Queues emails in the database transaction of the change that causes them (transactional outbox).
// The worker sends them later: see send-due.ts.

import type { Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import type { Email } from './email.ts'
import { sendNewEmails } from './queries.ts'

export function queueEmails(tx: Tx, emails: Email[]): void {
  if (emails.length === 0) return
  const at_ms = tx.now.getTime()
  const ids = emails.map(() => newUuid(at_ms))
  sendNewEmails(tx, emails, ids)
}
