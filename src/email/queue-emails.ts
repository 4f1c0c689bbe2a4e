// Queues emails in the change that causes them: they are written if and only if it is. Nothing is
// waited for and nothing leaves the machine here; the worker sends, see send-due.ts.

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
