// The lanes of payment requests: of their own, and why is in docs/decisions/0007.

import type { Db } from '../postgres/database.ts'
import { AccountLanes, type LaneOptions } from '../transactions/lanes.ts'
import { type PaymentEntry, runBatch } from './run-batch.ts'

export class PaymentLanes extends AccountLanes<PaymentEntry> {
  /** Links in answers and emails are under `public_url`. */
  readonly public_url: string

  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super((entries, waits) => runBatch(db, public_url, entries, waits), options)
    this.public_url = public_url
  }
}
