// Subscriptions of an account that is being closed: an active one prevents the closing; slices
// cancel paused ones afterwards, one page at a time, under the account's lock.

import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { PaymentSet } from '../payments/payment-set.ts'
import type { Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { Refusal } from '../primitives/refusal.ts'
import { cancelRow } from './decide.ts'
import { writeSubscriptions } from './lanes.ts'
import { countActiveOf, selectPausedOf } from './queries.ts'
import { SubscriptionSet } from './subscription-set.ts'

const counted_max = 1_000

export async function requireNoneActive(tx: Tx, account_id: string): Promise<void> {
  const active = await countActiveOf(tx, account_id, counted_max)
  if (active > 0) throw stillActive(active)
}

/** Returns the ids of the canceled subscriptions. */
export async function cancelPaused(
  tx: Tx,
  lock: AccountLock,
  page: IdPage,
  public_url: string,
): Promise<string[]> {
  const rows = await selectPausedOf(tx, lock.account_id, page)
  const payments = new PaymentSet(new LockedAccounts(tx.now, [lock]), public_url)
  const set = new SubscriptionSet(payments, rows)
  for (const row of rows) cancelRow(set, lock, row)
  writeChanges(tx, set, writeSubscriptions)
  return rows.map(({ id }) => id)
}

function stillActive(active: number): Refusal {
  const many = active < counted_max ? String(active) : `${counted_max} or more`
  const what = active === 1 ? 'an active subscription' : `${many} active subscriptions`
  return new Refusal(
    'active_subscriptions',
    `The account has ${what}. Cancel or pause ${active === 1 ? 'it' : 'them'} first.`,
  )
}
