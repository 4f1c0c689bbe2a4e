// An email may wait for days while a mail server is away. Whoever has paid meanwhile is not asked
// once more, and nobody is asked for what has been called off.

import type { StoredEmail } from '../email/stored-email.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import { loadAndApplyClosings } from '../transactions/apply-closings.ts'
import { selectPaymentsById } from './queries.ts'

/** Why this email asks for nothing any more; undefined for all others. */
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
