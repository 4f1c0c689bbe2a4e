// An event id contains its sequence number in the last 40 bits. So a lookup by id uses the primary
// key, and the table, into which every payment writes two rows, needs no second index. The time and
// 34 random bits of the UUIDv7 remain. Ids are looked up only within an account.

import { newUuid } from '../primitives/ids.ts'

/** At a million events per second, the numbers of one account would last twelve days. */
const digits = 10

export function newEventId(at: Date, sequence: number): string {
  const number = sequence.toString(16).padStart(digits, '0')
  return newUuid(at.getTime()).slice(0, -digits) + number
}

/** The sequence number in an id. The event may not exist: compare the id with the row. */
export function sequenceOf(event_id: string): number {
  return Number.parseInt(event_id.slice(-digits), 16)
}
