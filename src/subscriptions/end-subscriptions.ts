// What closing an account does to its subscriptions: an active one forbids it, and paused ones are
// canceled, in the closing's own database transaction and under the account's lock.

import type { AccountLock } from '../ledger/lock-row.ts'
import { PaymentSet } from '../payments/payment-set.ts'
import type { Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { WorkingSet } from '../transactions/working-set.ts'
import { decideSubscription } from './decide.ts'
import { selectOpenSubscriptionsOf } from './queries.ts'
import { writeSubscriptions } from './run-batch.ts'
import { SubscriptionSet } from './subscription-set.ts'

export async function endSubscriptions(
  tx: Tx,
  lock: AccountLock,
  public_url: string,
): Promise<void> {
  const rows = await selectOpenSubscriptionsOf(tx, lock.account_id)
  const active = rows.filter(({ status }) => status === 'active').length
  if (active > 0) throw stillActive(active)
  const money = new WorkingSet(tx.now, { locks: [lock], rows: [], refunded: [] })
  const payments = new PaymentSet(money, public_url, { rows: [], accounts: [] })
  const set = new SubscriptionSet(payments, rows)
  for (const { account_id, id } of rows) decideSubscription(set, { kind: 'cancel', account_id, id })
  writeSubscriptions(tx, set)
}

function stillActive(active: number): Refusal {
  const what = active === 1 ? 'an active subscription' : `${active} active subscriptions`
  return new Refusal(
    'active_subscriptions',
    `The account has ${what}. Cancel or pause what is active first.`,
  )
}
