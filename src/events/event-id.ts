// An event's id carries its number: the last forty bits are its sequence. So an id finds its row by
// the table's own key, and events, which every payment writes two of, need no second index. Of a
// UUIDv7 its time and 34 random bits remain, and an id is only looked for within an account.

import { newUuid } from '../primitives/ids.ts'

/** A million events a second would need twelve days to use up one account's numbers. */
const digits = 10

export function newEventId(at: Date, sequence: number): string {
  const number = sequence.toString(16).padStart(digits, '0')
  return newUuid(at.getTime()).slice(0, -digits) + number
}

/** The number that an id claims to have; whether there is such an event only its row can say. */
export function sequenceOf(event_id: string): number {
  return Number.parseInt(event_id.slice(-digits), 16)
}
