// Finds the endpoints that a poll must handle. An idle endpoint costs no more than its account: two
// index lookups.

import { findEventSequences } from '../../ledger/find-event-sequences.ts'
import type { Queryable } from '../../postgres/database.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import {
  selectDueEndpoints,
  selectEndpointRows,
  selectSubscribedAccounts,
} from './polling-queries.ts'

/**
 * Enabled endpoints of these slots that are behind their account's events, have due deliveries,
 * replay events or belong to a closed account; and those in `busy`, which have queued deliveries.
 */
export async function findActive(
  db: Queryable,
  slots: number[],
  busy: EndpointName[],
): Promise<EndpointRow[]> {
  const subscribed = await selectSubscribedAccounts(db, slots)
  const latest = await findEventSequences(
    db,
    subscribed.map(({ account_id }) => account_id),
  )
  const behind = subscribed.filter((one) => one.event_sequence < (latest.get(one.account_id) ?? 0))
  const names = [...(await selectDueEndpoints(db, slots)), ...busy]
  const account_ids = behind.map(({ account_id }) => account_id)
  const rows = await selectEndpointRows(db, slots, account_ids, names)
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
