// The subscriptions of a batch, on top of its payment requests, which each period creates.

import { RowSet } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { PaymentSet } from '../payments/payment-set.ts'
import { unknownSubscription } from './commands.ts'
import { type PeriodRow, type SubscriptionRow, subscriptionJson } from './subscription.ts'

export class SubscriptionSet extends RowSet<SubscriptionRow> {
  readonly payments: PaymentSet
  readonly periods: PeriodRow[] = []

  constructor(payments: PaymentSet, rows: SubscriptionRow[]) {
    super(payments.locked, rows, { jsonOf: subscriptionJson, unknown: unknownSubscription })
    this.payments = payments
  }

  override insert(lock: AccountLock, row: SubscriptionRow): void {
    super.insert(lock, row)
    lock.open_subscriptions += 1
  }

  override get changes(): number {
    return this.payments.changes
  }
}
