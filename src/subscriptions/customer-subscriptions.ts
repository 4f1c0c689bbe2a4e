// The subscriptions of customers. Callers pass canonical addresses.

import type { Caller } from '../identity/caller.ts'
import { isClosed } from '../ledger/closings.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import type { AddressReplacement } from '../postgres/replace-text.ts'
import type { SearchedRows, TextQuery } from '../postgres/search-newest.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import {
  type CustomerAddress,
  eraseSubscriptionRows,
  type SubscriptionTotal,
  searchSubscriptionRows,
  selectAddressesAfter,
  selectSubscriptionsOf,
  selectSubscriptionTotals,
} from './customer-queries.ts'
import { showClosed } from './find-subscription.ts'
import { selectSubscriptions } from './queries.ts'
import type { SubscriptionRow } from './subscription.ts'

// As many as payment requests: a customer seldom has more than a few.
const subscriptions_max = 5_000

/** For each address that has subscriptions. None of a closed account is open. */
export async function countSubscriptionsOf(
  db: Queryable,
  account_id: string,
  emails: string[],
): Promise<Map<string, SubscriptionTotal>> {
  const found = await selectSubscriptionTotals(db, account_id, emails, subscriptions_max)
  const is_open = found.some(({ open }) => open > 0)
  const is_closed = is_open && (await isClosed(db, account_id))
  const none = is_closed ? { active: 0, open: 0 } : {}
  return new Map(found.map((total) => [total.email, { ...total, ...none }]))
}

/** The subscriptions of one address, newest first. */
export function listSubscriptionsOf(
  db: Queryable,
  caller: Caller,
  { account_id, email }: CustomerAddress,
  query: CursorQuery,
): Promise<CursorPage<SubscriptionRow>> {
  return pageByCursor(query, 'subscription', {
    exists: async (id) => (await selectSubscriptions(db, [{ account_id, id }])).length > 0,
    select: async (range) =>
      showClosed(db, caller, await selectSubscriptionsOf(db, account_id, email, range)),
  })
}

/** A page of the distinct addresses of subscriptions, for `florin verify`. */
export function listSubscribers(
  db: Queryable,
  range: AccountRange,
  after: CustomerAddress,
  limit: number,
): Promise<CustomerAddress[]> {
  return selectAddressesAfter(db, range, after, limit)
}

/** The newest subscriptions that match, as the API shows them. */
export async function searchSubscriptions(
  db: Queryable,
  caller: Caller,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<SubscriptionRow>> {
  const found = await searchSubscriptionRows(db, account_id, query)
  return { ...found, rows: await showClosed(db, caller, found.rows) }
}

/** Part of erasing a customer. The caller holds the account lock. */
export async function eraseSubscriptions(
  tx: Tx,
  email: string,
  replacement: AddressReplacement,
): Promise<void> {
  await eraseSubscriptionRows(tx, email, replacement)
}

/** All subscriptions of one address, newest first. */
export async function exportSubscriptionsOf(
  db: Queryable,
  caller: Caller,
  account_id: string,
  email: string,
): Promise<SubscriptionRow[]> {
  const range = { before: null, after: null, limit: subscriptions_max }
  return showClosed(db, caller, await selectSubscriptionsOf(db, account_id, email, range))
}
