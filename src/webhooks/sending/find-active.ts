// Finds the endpoints that a poll must handle. An idle endpoint costs an index entry, and its
// account two index lookups.

import { findEventSequences } from '../../ledger/find-event-sequences.ts'
import type { Queryable } from '../../postgres/database.ts'
import { accountsOf } from '../../postgres/sql-rows.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import {
  selectDueEndpoints,
  selectEndpointsOf,
  selectNamedEndpoints,
  selectReplayingEndpoints,
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
  const pending = subscribed.filter(({ has_pending }) => has_pending)
  const due = await unlessEmpty(accountsOf(pending), (ids) => selectDueEndpoints(db, ids))
  const rows = [
    ...(await selectReplayingEndpoints(db, slots)),
    ...(await unlessEmpty(accountsOf(behind), (ids) => selectEndpointsOf(db, ids))),
    ...(await unlessEmpty([...due, ...busy], (names) => selectNamedEndpoints(db, slots, names))),
  ]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

async function unlessEmpty<Key, Row>(
  keys: Key[],
  select: (keys: Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  return keys.length === 0 ? [] : select(keys)
}
