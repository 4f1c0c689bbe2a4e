// Reads events by sequence number, for webhook cursors. Numbers are assigned under the account
// lock: if an event is visible, all earlier ones are too, so a cursor misses nothing.

import type { Queryable } from '../postgres/database.ts'
import type { NumberedEvent } from './event.ts'
import {
  type EventHead,
  type EventKey,
  type EventRange,
  selectEvent,
  selectEventHeads,
  selectEvents,
  selectLastEventBefore,
} from './queries.ts'

export { erased_events } from './queries.ts'
export type { EventHead, EventRange }

/** The first events of each range, in order, without their data. */
export async function findEventHeads(
  db: Queryable,
  ranges: EventRange[],
  limit: number,
): Promise<EventHead[]> {
  return ranges.length === 0 ? [] : selectEventHeads(db, ranges, limit)
}

/** The events with these keys that are still retained, in any order. */
export async function findEvents(db: Queryable, keys: EventKey[]): Promise<NumberedEvent[]> {
  return keys.length === 0 ? [] : selectEvents(db, keys)
}

/** The id of the event with this number, if it is still retained. */
export async function findEventId(
  db: Queryable,
  account_id: string,
  sequence: number,
): Promise<string | undefined> {
  return (await selectEvent(db, account_id, sequence))?.id
}

/**
 * The number of the last event before this time. If all retained events are later, the number
 * before them; zero if there are no events.
 */
export async function findSequenceBefore(
  db: Queryable,
  account_id: string,
  at: Date,
): Promise<number> {
  return selectLastEventBefore(db, account_id, at)
}
