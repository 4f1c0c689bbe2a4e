// What happened to an account and its things, written in the change's own database transaction. The
// caller holds the account's lock and brings the number: see ledger/account-lock.ts.

import type { Tx } from '../postgres/database.ts'
import { newEventId } from './event-id.ts'
import type { EventType } from './event-types.ts'
import type { NumberedEvent } from './numbered-event.ts'
import { insertEvent, sendEvents, sendManyEvents } from './queries.ts'

export type { EventType } from './event-types.ts'

export interface NewEvent {
  type: EventType
  object_id: string
  /** The object as the API shows it. */
  data: unknown
}

export async function recordEvent(
  tx: Tx,
  place: { account_id: string; sequence: number; at: Date },
  event: NewEvent,
): Promise<void> {
  await insertEvent(tx, {
    ...place,
    id: newEventId(place.at, place.sequence),
    type: event.type,
    object_id: event.object_id,
    data: JSON.stringify(event.data),
  })
}

/** Many at once, numbered by the caller under the locks it holds. */
export function recordEvents(tx: Tx, events: NumberedEvent[]): void {
  if (events.length > 0) sendEvents(tx, events)
}

/** Thousands at once: the statement of the hot path is made for dozens. */
export function recordManyEvents(tx: Tx, events: NumberedEvent[]): void {
  if (events.length > 0) sendManyEvents(tx, events)
}
