// An email can be queued for days while the mail server is down. A payment email is suppressed if
// its request has been paid, canceled or failed in the meantime.

import type { StoredEmail } from '../email/stored-email.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import { loadAndApplyClosings } from '../transactions/apply-closings.ts'
import { selectPaymentsById } from './queries.ts'

/** Why this email must no longer be sent; undefined if it may be. */
export async function findSuppressionReason(
  db: Queryable,
  { kind, cause }: Pick<StoredEmail, 'kind' | 'cause'>,
): Promise<string | undefined> {
  if (kind !== 'payment_request' && kind !== 'payment_reminder') return undefined
  const id = findUuid('payment', cause.split(':')[1] ?? '')
  const rows = id === undefined ? [] : await selectPaymentsById(db, [id])
  const [row] = await loadAndApplyClosings(db, rows)
  if (row === undefined || row.status === 'pending') return undefined
  return `The payment request was ${ends[row.status]} before it could be sent.`
}

const ends = { succeeded: 'paid', failed: 'closed', canceled: 'canceled' } as const
