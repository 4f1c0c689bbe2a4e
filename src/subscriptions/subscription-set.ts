// The in-memory state of a batch of subscription commands: the subscriptions that the commands
// name, on top of the working set of payment requests, which each period creates.

import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { PaymentSet } from '../payments/payment-set.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { rowKey } from '../transactions/working-set.ts'
import { type PeriodRow, type SubscriptionRow, subscriptionJson } from './subscription.ts'

export class SubscriptionSet {
  readonly payments: PaymentSet
  readonly rows: Map<string, SubscriptionRow>

  readonly inserted = new Set<SubscriptionRow>()
  /** Rows that are stored and have changed. */
  readonly changed = new Set<SubscriptionRow>()
  readonly periods: PeriodRow[] = []

  constructor(payments: PaymentSet, rows: SubscriptionRow[]) {
    this.payments = payments
    this.rows = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
  }

  findRow(account_id: string, id: string): SubscriptionRow | undefined {
    return this.rows.get(rowKey(account_id, id))
  }

  insert(lock: AccountLock, row: SubscriptionRow): void {
    lock.last_transaction_id = row.id
    lock.open_subscriptions += 1
    this.inserted.add(row)
    this.rows.set(rowKey(row.account_id, row.id), row)
    this.payments.money.touch(lock, timeOfUuid(row.id))
  }

  change(lock: AccountLock, row: SubscriptionRow, changes: Partial<SubscriptionRow>): void {
    Object.assign(row, changes)
    // A row created in this batch is not stored yet: it is inserted in its final state.
    if (!this.inserted.has(row)) this.changed.add(row)
    this.payments.money.touch(lock, row.updated_at)
  }

  addEvent(lock: AccountLock, type: EventType, row: SubscriptionRow): void {
    this.payments.money.addObjectEvent(lock, type, row.id, subscriptionJson(row))
  }

  /** Grows with every change that a command makes. */
  get changes(): number {
    return this.payments.changes
  }
}
