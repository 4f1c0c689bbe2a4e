// Payment requests that will soon be canceled because nobody has paid.

import { isClosed } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { lastUuidAt, toTypeId } from '../primitives/ids.ts'
import { expires_after_ms } from '../primitives/payment-dates.ts'
import { selectExpiring } from './queries.ts'

/**
 * Ids, the soonest first. Every request lives equally long, so what ends first was made first, and
 * the key finds it.
 */
export async function findExpiring(
  db: Queryable,
  account_id: string,
  between: { now: Date; by: Date },
  limit: number,
): Promise<string[]> {
  const last_id = lastUuidAt(between.by.getTime() - expires_after_ms)
  const by = { last_id, now: between.now, expires_at: between.by }
  const rows = await selectExpiring(db, account_id, by, limit)
  if (rows.length > 0 && (await isClosed(db, account_id))) return []
  return rows.map(({ id }) => toTypeId('payment', id))
}
