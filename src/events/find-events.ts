// Reading events, for those who follow an account by its numbers. They are numbered under the
// account's lock, so whoever sees a number also sees every smaller one: a cursor misses nothing.

import type { Queryable } from '../postgres/database.ts'
import type { NumberedEvent } from './numbered-event.ts'
import {
  type EventHead,
  type EventKey,
  type EventRange,
  selectEventHeads,
  selectEvents,
  selectLastEventBefore,
} from './queries.ts'

export type { EventHead, EventKey, EventRange }

/** The first few of each range, in order, without their data. */
export async function findEventHeads(
  db: Queryable,
  ranges: EventRange[],
  limit: number,
): Promise<EventHead[]> {
  return ranges.length === 0 ? [] : selectEventHeads(db, ranges, limit)
}

/** Those of these names that are still kept, in any order. */
export async function findEvents(db: Queryable, names: EventKey[]): Promise<NumberedEvent[]> {
  return names.length === 0 ? [] : selectEvents(db, names)
}

/**
 * The number of the last event before this time. When none of those that are kept is, the one
 * before them; nought when there is none at all.
 */
export async function findSequenceBefore(
  db: Queryable,
  account_id: string,
  at: Date,
): Promise<number> {
  return selectLastEventBefore(db, account_id, at)
}
