// Pages of payment requests, all of them or those that one subscription has made. Which it has made
// is written down period by period, and read by the key of that table: what stands in a request's
// metadata is for people.

import { countPayments, listPayments, type PaymentListQuery } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Db } from '../postgres/database.ts'
import type { ListCount } from '../postgres/search.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from '../sessions/caller.ts'
import { selectRequestIds, selectSubscriptionOwner } from './queries.ts'

export interface RequestListQuery extends Omit<PaymentListQuery, 'among'> {
  /** The id of a subscription: only the requests that it has made. */
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

/** How many that list has, of one account. */
export async function countRequests(
  db: Db,
  caller: Caller,
  { subscription, ...query }: Omit<RequestListQuery, 'limit'>,
): Promise<ListCount> {
  if (subscription === undefined) return countPayments(db, caller, query)
  return countPayments(db, caller, { ...query, among: await findRequests(db, subscription) })
}

/** Whose they are is for the list to judge: a foreign subscription has made nothing to be seen. */
async function findRequests(db: Db, subscription: string): Promise<PaymentListQuery['among']> {
  const id = findUuid('subscription', subscription)
  if (id === undefined) {
    throw new Refusal('invalid_request', 'subscription must be the id of a subscription: sub_….')
  }
  const place = await selectSubscriptionOwner(db, id)
  if (place === undefined) return nobodys
  const { account_id } = place
  // One for each period: a day is the shortest, so ten years are a few thousand.
  const made = await selectRequestIds(db, { account_id, id })
  return { account_id, ids: made.map(({ payment_id }) => payment_id) }
}

const nobodys = { account_id: '', ids: [] }
