// Subscriptions have separate lanes, as payment requests do (docs/decisions/0007). They batch a
// thousand subscriptions that become due at once into a few commits.

import type { Db } from '../postgres/database.ts'
import { AccountLanes, type LaneOptions } from '../transactions/lanes.ts'
import { runBatch, type SubscriptionEntry } from './run-batch.ts'

export class SubscriptionLanes extends AccountLanes<SubscriptionEntry> {
  /** `public_url` is the base URL of payment links in emails. */
  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super((entries, waits) => runBatch(db, public_url, entries, waits), options)
  }
}
