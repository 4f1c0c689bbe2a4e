import { getActingAccountId } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { findClosedAt, isClosed } from '../ledger/closings.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type ListCount, runQueuedCount } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { readSubscriptionId, unknownSubscription } from './commands.ts'
import {
  countSubscriptions as countRows,
  selectSubscriptionOwner,
  selectSubscriptionPage,
  selectSubscriptions,
} from './queries.ts'
import type { SubscriptionRow, SubscriptionStatus } from './subscription.ts'

/** Throws not_found unless the subscription belongs to the acting account. */
export async function getSubscription(
  db: Db,
  caller: Caller,
  subscription_id: string,
): Promise<SubscriptionRow> {
  const id = readSubscriptionId(subscription_id)
  const account_id = await getActingAccountId(db, caller)
  const [row] = await showClosed(db, caller, await selectSubscriptions(db, [{ account_id, id }]))
  if (row === undefined) throw unknownSubscription()
  return row
}

/**
 * Subscriptions of a closed account count as canceled, even before a slice updates the row
 * (docs/decisions/0018). Only admins and platforms can read a closed account.
 */
export async function showClosed(
  db: Queryable,
  caller: Caller,
  rows: SubscriptionRow[],
): Promise<SubscriptionRow[]> {
  const open = rows.find(({ status }) => status !== 'canceled')
  if (open === undefined || !isAdminOrPlatform(caller)) return rows
  const closed_at = (await findClosedAt(db, [open.account_id])).get(open.account_id)
  if (closed_at === undefined) return rows
  const end = { status: 'canceled', next_at: null, updated_at: closed_at } as const
  return rows.map((row) => (row.status === 'canceled' ? row : { ...row, ...end }))
}

interface SubscriptionListQuery extends CursorQuery {
  status?: SubscriptionStatus | undefined
}

export async function listSubscriptions(
  db: Db,
  caller: Caller,
  query: SubscriptionListQuery,
): Promise<CursorPage<SubscriptionRow>> {
  const account_id = await getActingAccountId(db, caller)
  const filter = { account_id, status: query.status }
  const is_closed = query.status !== undefined && (await isClosed(db, account_id))
  if (is_closed && query.status === 'canceled') filter.status = undefined
  return pageByCursor(query, 'subscription', {
    exists: async (id) => (await selectSubscriptions(db, [{ account_id, id }])).length > 0,
    select: async (range) => {
      if (is_closed && filter.status !== undefined) return []
      return showClosed(db, caller, await selectSubscriptionPage(db, filter, range))
    },
  })
}

/** The number of subscriptions in the list. */
export async function countSubscriptions(
  db: Db,
  caller: Caller,
  { status }: Omit<SubscriptionListQuery, 'limit'>,
): Promise<ListCount> {
  const account_id = await getActingAccountId(db, caller)
  return runQueuedCount(db, account_id, (tx, limit) => countRows(tx, { account_id, status }, limit))
}

/** By id alone, in any account; undefined if it does not exist. */
export async function findSubscriptionById(
  db: Db,
  caller: Caller,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const owner = await selectSubscriptionOwner(db, id)
  if (owner === undefined) return undefined
  const rows = await selectSubscriptions(db, [{ ...owner, id }])
  return (await showClosed(db, caller, rows))[0]
}
