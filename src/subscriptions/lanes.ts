// Subscriptions have separate lanes, as payment requests do (docs/decisions/0007). They batch a
// thousand subscriptions that become due at once into a few commits.

import { findAccounts } from '../accounts/find-accounts.ts'
import { AccountLanes, type LaneOptions } from '../lanes/account-lanes.ts'
import { defineLane } from '../lanes/define-lane.ts'
import type { CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { writePayments } from '../payments/lanes.ts'
import { PaymentSet } from '../payments/payment-set.ts'
import type { Db, Tx } from '../postgres/database.ts'
import type { SubscriptionCommand } from './commands.ts'
import { decideSubscription } from './decide.ts'
import {
  selectSubscriptions,
  sendNewSubscriptions,
  sendPeriods,
  sendSubscriptionChanges,
} from './queries.ts'
import type { SubscriptionRow } from './subscription.ts'
import { SubscriptionSet } from './subscription-set.ts'

type SubscriptionEntry = CommandEntry<SubscriptionCommand, SubscriptionRow>

export class SubscriptionLanes extends AccountLanes<SubscriptionEntry, CommandResult> {
  /** `public_url` is the base URL of payment links in emails. */
  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super(subscriptionLane(public_url)(db), options)
  }
}

const subscriptionLane = (public_url: string) =>
  defineLane<SubscriptionCommand, SubscriptionRow, SubscriptionSet>({
    async read(tx, commands, locking) {
      const account_ids = new Set(commands.map(({ account_id }) => account_id))
      const named = commands.filter((command) => command.kind !== 'create')
      const [locked, rows, accounts] = await Promise.all([
        locking,
        named.length === 0 ? [] : selectSubscriptions(tx, named),
        findAccounts(tx, [...account_ids]),
      ])
      return new SubscriptionSet(new PaymentSet(locked, public_url, { accounts }), rows)
    },
    decide: decideSubscription,
    write: writeSubscriptions,
  })

/** Sends the subscriptions of a set and their payment requests; also used outside the lanes. */
export function writeSubscriptions(tx: Tx, set: SubscriptionSet): void {
  if (set.inserted.length > 0) sendNewSubscriptions(tx, set.inserted)
  if (set.changed.size > 0) sendSubscriptionChanges(tx, [...set.changed.keys()])
  writePayments(tx, set.payments)
  if (set.periods.length > 0) sendPeriods(tx, set.periods)
}
