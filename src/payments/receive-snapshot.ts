// Fetches what a provider knows about a checkout and applies it. Webhooks, the return page and the
// worker all use this: none of them is trusted beyond the id of the object.

import type { Db, Queryable } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import type { Provider, Snapshot } from '../processors/provider.ts'
import type { CheckoutRow } from './checkout.ts'
import { checkoutKey, type LatePolicy } from './checkout-commands.ts'
import { selectCheckouts } from './checkout-queries.ts'
import { UnmatchedSnapshot } from './decide-checkout.ts'
import type { PaymentLanes } from './lanes.ts'
import { statusJson } from './payment.ts'

export interface SnapshotParts {
  db: Db
  payment_lanes: PaymentLanes
  late_payments: LatePolicy
}

/**
 * - `unmatched`: the payment belongs to no checkout of this server; nothing was recorded
 * - `unknown`: the provider has no such object
 */
export type ReceivedSnapshot = 'applied' | 'unknown' | { unmatched: Snapshot }

/** `provider_id` is a checkout, or a payment that belongs to one. */
export async function receiveSnapshot(
  parts: SnapshotParts,
  provider: Provider,
  provider_id: string,
): Promise<ReceivedSnapshot> {
  const snapshot = await provider.fetchSnapshot(provider_id)
  if (snapshot === undefined) return 'unknown'
  const result = await applySnapshot(parts, provider, snapshot)
  return result === 'applied' ? result : { unmatched: snapshot }
}

export async function applySnapshot(
  { db, payment_lanes, late_payments }: SnapshotParts,
  provider: Provider,
  snapshot: Snapshot,
): Promise<'applied' | 'unmatched'> {
  const row = await findCheckout(db, snapshot)
  if (row === undefined || snapshot.is_live !== provider.is_live) return 'unmatched'
  try {
    await payment_lanes.submit({
      command: {
        kind: 'apply',
        ...checkoutKey(row),
        provider: provider.name,
        snapshot,
        late: late_payments,
      },
      account_id: row.account_id,
      background: true,
      isWanted: () => true,
      token: undefined,
      key: undefined,
      status: 200,
      render: statusJson,
    })
    return 'applied'
  } catch (error) {
    if (error instanceof UnmatchedSnapshot) return 'unmatched'
    throw error
  }
}

async function findCheckout(
  db: Queryable,
  { checkout }: Snapshot,
): Promise<CheckoutRow | undefined> {
  const account_id = findUuid('account', checkout?.account_id ?? '')
  const id = findUuid('checkout', checkout?.checkout_id ?? '')
  if (account_id === undefined || id === undefined) return undefined
  const [row] = await selectCheckouts(db, [{ account_id, id }])
  return row
}
