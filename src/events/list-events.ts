// Reading an account's events: pages newest first, pages oldest first from a number on, one by id.

import { type Db, withinTime } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { EventRow } from './event.ts'
import { sequenceOf } from './event-id.ts'
import { readTypeFilter } from './event-types.ts'
import { selectEvent, selectEventPage } from './queries.ts'

export interface EventQuery extends CursorQuery {
  type?: string | undefined
  /** A sequence: oldest first, from the one after it. */
  after?: number | undefined
}

// A rare type is looked for in all of an account's events of 90 days. An index for this question
// alone would be written twice by every payment.
const search_ms = 2_000
const search_advice = 'There are too many events to look through. Ask without type, or from after.'

export async function listEvents(
  db: Db,
  account_id: string,
  query: EventQuery,
): Promise<CursorPage<EventRow>> {
  const types = readTypeFilter(query.type)
  const select = (range: { before?: number; after?: number; limit: number }) => {
    const page = { account_id, types, before: undefined, after: undefined, ...range }
    if (types === undefined) return selectEventPage(db, page)
    return withinTime(db, search_ms, search_advice, (tx) => selectEventPage(tx, page))
  }
  if (query.after !== undefined) return followEvents(query, query.after, select)
  return pageByCursor(query, 'event', {
    exists: async (id) => (await findEvent(db, account_id, id)) !== undefined,
    select: ({ before, after, limit }) =>
      select({
        ...(before !== null && { before: sequenceOf(before) }),
        ...(after !== null && { after: sequenceOf(after) }),
        limit,
      }),
  })
}

async function followEvents(
  query: EventQuery,
  after: number,
  select: (range: { after: number; limit: number }) => Promise<EventRow[]>,
): Promise<CursorPage<EventRow>> {
  if ((query.starting_after ?? query.ending_before) !== undefined) {
    throw new Refusal(
      'invalid_request',
      'after walks from the oldest on. Send it without starting_after and ending_before.',
    )
  }
  const rows = await select({ after, limit: query.limit + 1 })
  const has_more = rows.length > query.limit
  return { object: 'list', data: rows.slice(0, query.limit), has_more }
}

export async function getEvent(db: Db, account_id: string, event_id: string): Promise<EventRow> {
  const id = findUuid('event', event_id)
  const event = id === undefined ? undefined : await findEvent(db, account_id, id)
  if (event === undefined) {
    throw new Refusal('not_found', 'No event of this account has this id, or it is too old.')
  }
  return event
}

async function findEvent(db: Db, account_id: string, id: string): Promise<EventRow | undefined> {
  const event = await selectEvent(db, account_id, sequenceOf(id))
  return event?.id === id ? event : undefined
}
