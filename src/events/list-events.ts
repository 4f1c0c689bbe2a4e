// Reads an account's events: pages newest first, pages oldest first after a number, one by id.

import type { Db } from '../postgres/database.ts'
import { type ListCount, runQueuedCount, runQueuedSearch } from '../postgres/search.ts'
import {
  type CursorPage,
  type CursorQuery,
  cutPage,
  pageByCursor,
  rejectAfterWithCursors,
} from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { EventRow } from './event.ts'
import { sequenceOf } from './event-id.ts'
import { readTypeFilter } from './event-types.ts'
import {
  countEvents as countRows,
  selectEvent,
  selectEventPage,
  selectLastEventBefore,
} from './queries.ts'

interface EventQuery extends CursorQuery {
  type?: string | undefined
  /** A sequence number: returns the events after it, oldest first. */
  after?: number | undefined
  about?: EventObject | undefined
  /** The types that the caller may read; undefined for all. */
  visible?: readonly string[] | undefined
}

/** One object of the account, and the time range that contains all of its events. */
export interface EventObject {
  id: string
  from: Date
  to: Date | undefined
}

// A search for a rare type scans an account's events of 90 days; a search for an object, those of
// its lifetime. An index for these queries would cost every payment two more writes.
const search_advice =
  'There are too many events to search. Omit "type" and "object", or start from "after".'

export async function listEvents(
  db: Db,
  account_id: string,
  query: EventQuery,
): Promise<CursorPage<EventRow>> {
  const types = narrow(readTypeFilter(query.type), query.visible)
  const select = async (range: { before?: number; after?: number; limit: number }) => {
    const page = { account_id, types, before: undefined, after: undefined, ...range }
    if (types === undefined && query.about === undefined) return selectEventPage(db, page)
    const about = query.about && (await rangeOf(db, account_id, query.about))
    return runQueuedSearch(db, account_id, search_advice, (tx) =>
      selectEventPage(tx, { ...page, about }),
    )
  }
  if (query.after !== undefined) return followEvents(query, query.after, select)
  return pageByCursor(query, 'event', {
    exists: async (id) => (await findVisible(db, account_id, id, query.visible)) !== undefined,
    select: ({ before, after, limit }) =>
      select({
        ...(before !== null && { before: sequenceOf(before) }),
        ...(after !== null && { after: sequenceOf(after) }),
        limit,
      }),
  })
}

/** The types that are both requested and visible; undefined for all. */
export function narrow(
  types: readonly string[] | undefined,
  visible: readonly string[] | undefined,
): readonly string[] | undefined {
  return visible === undefined ? types : (types ?? visible).filter((type) => visible.includes(type))
}

/** How many events of the account the caller may see, of one type or of all. */
export function countEvents(
  db: Db,
  account_id: string,
  { type }: { type?: string | undefined },
  visible: readonly string[] | undefined,
): Promise<ListCount> {
  const filter = { account_id, types: narrow(readTypeFilter(type), visible) }
  return runQueuedCount(db, account_id, (tx, limit) => countRows(tx, filter, limit))
}

async function rangeOf(db: Db, account_id: string, { id, from, to }: EventObject) {
  const first = (await selectLastEventBefore(db, account_id, from)) + 1
  if (to === undefined) return { object_id: id, first, last: Number.MAX_SAFE_INTEGER }
  // Times are whole milliseconds, so events at `to` are before the next millisecond.
  const next = new Date(to.getTime() + 1)
  return { object_id: id, first, last: await selectLastEventBefore(db, account_id, next) }
}

async function followEvents(
  query: EventQuery,
  after: number,
  select: (range: { after: number; limit: number }) => Promise<EventRow[]>,
): Promise<CursorPage<EventRow>> {
  rejectAfterWithCursors(query)
  return cutPage(query, (limit) => select({ after, limit }))
}

export async function getEvent(
  db: Db,
  account_id: string,
  event_id: string,
  visible: readonly string[] | undefined,
): Promise<EventRow> {
  const id = findUuid('event', event_id)
  const event = id === undefined ? undefined : await findVisible(db, account_id, id, visible)
  if (event === undefined) {
    const message = 'No event with this id exists in this account. Events are kept for 90 days.'
    throw new Refusal('not_found', message)
  }
  return event
}

async function findVisible(
  db: Db,
  account_id: string,
  id: string,
  visible: readonly string[] | undefined,
): Promise<EventRow | undefined> {
  const event = await findEvent(db, account_id, id)
  return event === undefined || (visible ?? [event.type]).includes(event.type) ? event : undefined
}

export async function findEvent(
  db: Db,
  account_id: string,
  id: string,
): Promise<EventRow | undefined> {
  const event = await selectEvent(db, account_id, sequenceOf(id))
  return event?.id === id ? event : undefined
}
