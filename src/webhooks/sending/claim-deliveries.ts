// Claims and releases deliveries, one statement per shard: Citus locks rows of one shard at a time.

import type { Lease } from '../../outbox/lease.ts'
import type { Db } from '../../postgres/database.ts'
import {
  type AccountCapacity,
  type ClaimedDelivery,
  claimDue,
  type DeliveryOutcome,
  releaseClaimed,
} from './queries.ts'

/** Claims due deliveries in the order of the capacities, up to the limit. */
export async function claimDeliveries(
  db: Db,
  lease: Lease,
  capacities: AccountCapacity[],
  limit: number,
): Promise<ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = []
  for (const part of db.shards.split(capacities)) {
    claimed.push(...(await claimDue(db, lease, part, limit - claimed.length)))
  }
  return claimed
}

/** Undoes claims without using up an attempt. */
export async function releaseDeliveries(
  db: Db,
  rows: Pick<DeliveryOutcome, 'account_id' | 'id' | 'lease_id'>[],
): Promise<void> {
  for (const part of db.shards.split(rows)) await releaseClaimed(db, part)
}
