// The lanes of subscriptions: of their own, as payment requests have (docs/decisions/0007), so that
// a thousand that fall due at one moment are a few commits and not a thousand.

import type { Db } from '../postgres/database.ts'
import { AccountLanes, type LaneOptions } from '../transactions/lanes.ts'
import { runBatch, type SubscriptionEntry } from './run-batch.ts'

export class SubscriptionLanes extends AccountLanes<SubscriptionEntry> {
  /** Links in the emails of what falls due are under `public_url`. */
  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super((entries, waits) => runBatch(db, public_url, entries, waits), options)
  }
}
