// Reads deliveries with their requests and responses.

import { findEvents } from '../events/find-events.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type ListCount, runQueuedCount, runQueuedSearch } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, firstUuidAt, type IdKind } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import {
  type Delivery,
  type DeliveryRow,
  type ListedDelivery,
  presentDelivery,
  presentListed,
  type ShownStatus,
  shown_statuses,
  unknownDelivery,
} from './delivery.ts'
import { messageOf } from './message.ts'
import {
  countDeliveries as countRows,
  selectAttempts,
  selectDelivery,
  selectDeliveryPage,
  selectEndpoint,
} from './queries.ts'

export { erased_attempts, erased_deliveries, findDeliveryOwner } from './queries.ts'

interface DeliveryListQuery extends CursorQuery {
  endpoint_id?: string | undefined
  event_id?: string | undefined
  /** One or more, separated by commas. */
  status?: string | undefined
}

// Workers assign ids without the account lock, so recent rows can still commit out of order. Paging
// forward excludes them, as in lists across accounts.
const unsettled_ms = 10_000

// A rare filter scans all deliveries of the account. An index for each would slow down sending.
const search_advice = 'There are too many deliveries to search. Use fewer filters.'

export async function listDeliveries(
  db: Db,
  account_id: string,
  query: DeliveryListQuery,
): Promise<CursorPage<ListedDelivery>> {
  const filter = { account_id, ...readDeliveryFilters(query) }
  const page = await pageByCursor(query, 'webhook_delivery', {
    exists: async (id) => (await selectDelivery(db, account_id, id)) !== undefined,
    select: async (range) => {
      const settled = range.after === null ? undefined : firstUuidAt(Date.now() - unsettled_ms)
      return runQueuedSearch(db, account_id, search_advice, (tx) =>
        selectDeliveryPage(tx, { ...filter, before_id: settled }, range),
      )
    },
  })
  return { ...page, data: page.data.map(presentListed) }
}

/** The number of rows in the list. */
export function countDeliveries(
  db: Db,
  account_id: string,
  query: Omit<DeliveryListQuery, 'limit'>,
): Promise<ListCount> {
  const filter = { account_id, ...readDeliveryFilters(query), before_id: undefined }
  return runQueuedCount(db, account_id, (tx, limit) => countRows(tx, filter, limit))
}

/** Validates the filters before any lookup. Returns UUIDs. */
export function readDeliveryFilters(query: Omit<DeliveryListQuery, 'limit'>) {
  const { endpoint_id, event_id, status } = query
  return {
    statuses: readStatuses(status),
    endpoint_id: readFilter('webhook_endpoint', 'endpoint_id', endpoint_id),
    event_id: readFilter('event', 'event_id', event_id),
  }
}

function readStatuses(text: string | undefined): ShownStatus[] {
  if (text === undefined) return []
  const unknown_statuses = new Set<string>(text.split(','))
  const statuses = shown_statuses.filter((status) => unknown_statuses.delete(status))
  if (unknown_statuses.size === 0) return statuses
  const [unknown] = unknown_statuses
  throw new Refusal(
    'invalid_request',
    `"status" must be one or more of ${shown_statuses.join(', ')}, separated by commas; ` +
      `got ${quote(unknown!)}.`,
  )
}

function readFilter(kind: IdKind, field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const id = findUuid(kind, text)
  if (id !== undefined) return id
  throw new Refusal(
    'invalid_request',
    `"${field}" must be a valid ${kind.replace('_', ' ')} id; got ${quote(text)}.`,
  )
}

export async function getDelivery(
  db: Queryable,
  account_id: string,
  delivery_id: string,
): Promise<Delivery> {
  const row = await selectDelivery(db, account_id, readDeliveryId(delivery_id))
  if (row === undefined) throw unknownDelivery()
  return showDelivery(db, row)
}

export function readDeliveryId(delivery_id: string): string {
  const id = findUuid('webhook_delivery', delivery_id)
  if (id === undefined) throw unknownDelivery()
  return id
}

// The ten scheduled attempts and as many manual ones. A response can hold 4 KiB of each.
const history_max = 20

export async function showDelivery(db: Queryable, row: DeliveryRow): Promise<Delivery> {
  const { account_id, endpoint_id } = row
  const endpoint = await selectEndpoint(db, { account_id, id: endpoint_id })
  const past = await selectAttempts(db, account_id, row.id, history_max - 1)
  return presentDelivery(row, endpoint?.url, await findBody(db, row), past)
}

/** Undefined if the event has been deleted. */
async function findBody(db: Queryable, row: DeliveryRow): Promise<string | undefined> {
  if (row.test_body !== null || row.event_sequence === null) return row.test_body ?? undefined
  const name = { account_id: row.account_id, sequence: row.event_sequence }
  const [event] = await findEvents(db, [name])
  return event && messageOf(event)
}
