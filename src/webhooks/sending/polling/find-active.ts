// Which endpoints a look has to do with. An endpoint with nothing due, of an account whose events
// it has all seen, costs no more than its account does: two probes of an index.

import { findEventSequences } from '../../../ledger/find-event-sequences.ts'
import type { Queryable } from '../../../postgres/database.ts'
import type { EndpointName, EndpointRow } from '../../endpoint.ts'
import { selectDueEndpoints, selectEndpointRows, selectSubscribedAccounts } from './queries.ts'

/**
 * Enabled endpoints of these slots that are behind their account, have deliveries due, are asked to
 * replay or are about to end; and those in `held`, which the worker has something of in hand.
 */
export async function findActive(
  db: Queryable,
  slots: number[],
  held: EndpointName[],
): Promise<EndpointRow[]> {
  const followed = await selectSubscribedAccounts(db, slots)
  const latest = await findEventSequences(
    db,
    followed.map(({ account_id }) => account_id),
  )
  const behind = followed.filter((one) => one.event_sequence < (latest.get(one.account_id) ?? 0))
  const names = [...(await selectDueEndpoints(db, slots)), ...held]
  const account_ids = behind.map(({ account_id }) => account_id)
  const rows = await selectEndpointRows(db, slots, account_ids, names)
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
