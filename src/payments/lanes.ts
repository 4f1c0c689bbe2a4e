// Payment requests have separate lanes: see docs/decisions/0007.

import type { Db } from '../postgres/database.ts'
import { AccountLanes, type LaneOptions } from '../transactions/lanes.ts'
import { type PaymentEntry, runBatch } from './run-batch.ts'

export class PaymentLanes extends AccountLanes<PaymentEntry> {
  /** The base URL of links in responses and emails. */
  readonly public_url: string

  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super((entries, waits) => runBatch(db, public_url, entries, waits), options)
    this.public_url = public_url
  }
}
