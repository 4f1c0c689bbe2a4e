// A set for past transactions. Events that would have been pruned by now are numbered but
// not rendered or stored, which saves a tenth of the time of seeding.

import type { EventType } from '../../events/record-event.ts'
import { LockedAccounts } from '../../lanes/locked-accounts.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import { TransactionSet } from '../../transactions/transaction-set.ts'

export class HistorySet extends TransactionSet {
  readonly #events_from: Date

  constructor(now: Date, events_from: Date) {
    super(new LockedAccounts(now, []))
    this.#events_from = events_from
  }

  override addEvent(lock: AccountLock, type: EventType, row: TransactionRow): void {
    if (lock.last_at < this.#events_from) lock.event_sequence += 1
    else super.addEvent(lock, type, row)
  }
}
