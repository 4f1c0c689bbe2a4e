// Lists all payment requests, or those of one subscription. The latter are found by the primary key
// of subscription_periods; the request's metadata is informational only.

import type { Caller } from '../identity/caller.ts'
import { countPayments, listPayments, type PaymentListQuery } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Db } from '../postgres/database.ts'
import type { ListCount } from '../postgres/search.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { selectRequestIds, selectSubscriptionOwner } from './queries.ts'

interface RequestListQuery extends Omit<PaymentListQuery, 'among'> {
  /** The id of a subscription: lists only its requests. */
  subscription?: string | undefined
}

export async function listRequests(
  db: Db,
  caller: Caller,
  { subscription, ...query }: RequestListQuery,
): Promise<CursorPage<PaymentRow>> {
  if (subscription === undefined) return listPayments(db, caller, query)
  return listPayments(db, caller, { ...query, among: await findRequests(db, subscription) })
}

/** The number of requests in the list, of one account. */
export async function countRequests(
  db: Db,
  caller: Caller,
  { subscription, ...query }: Omit<RequestListQuery, 'limit'>,
): Promise<ListCount> {
  if (subscription === undefined) return countPayments(db, caller, query)
  return countPayments(db, caller, { ...query, among: await findRequests(db, subscription) })
}

/** Does not check access: the list omits requests of accounts that the caller has no access to. */
async function findRequests(db: Db, subscription: string): Promise<PaymentListQuery['among']> {
  const id = findUuid('subscription', subscription)
  if (id === undefined) {
    const got = quote(subscription)
    const rule = `"subscription" must be a subscription id such as "sub_…"; got ${got}.`
    throw new Refusal('invalid_request', rule)
  }
  const owner = await selectSubscriptionOwner(db, id)
  if (owner === undefined) return no_requests
  const { account_id } = owner
  // One per period of at least a day: a few thousand in ten years.
  const requests = await selectRequestIds(db, { account_id, id })
  return { account_id, ids: requests.map(({ payment_id }) => payment_id) }
}

const no_requests = { account_id: '', ids: [] }
