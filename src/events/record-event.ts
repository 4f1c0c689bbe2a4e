// Writes the events of an account in the database transaction of the change. The caller holds the
// account lock and provides the sequence number: see ledger/account-lock.ts.

import type { Tx } from '../postgres/database.ts'
import type { NumberedEvent } from './event.ts'
import { newEventId } from './event-id.ts'
import type { EventType } from './event-types.ts'
import { insertEvent, sendEvents } from './queries.ts'

export type { EventType } from './event-types.ts'

export interface NewEvent {
  type: EventType
  object_id: string
  /** The object as the API returns it. */
  data: unknown
}

/** Returns the id of the event. */
export async function recordEvent(
  tx: Tx,
  key: { account_id: string; sequence: number; at: Date },
  event: NewEvent,
): Promise<string> {
  const id = newEventId(key.at, key.sequence)
  const { type, object_id } = event
  await insertEvent(tx, { ...key, id, type, object_id, data: JSON.stringify(event.data) })
  return id
}

/** Records many events, numbered by the caller under the account locks. */
export function recordEvents(tx: Tx, events: NumberedEvent[]): void {
  if (events.length > 0) sendEvents(tx, events)
}
