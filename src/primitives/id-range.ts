// A range of creation times is a range of ids, because an id begins with its time.

import { firstUuidAt, lastUuidAt } from './ids.ts'
import { parseTimestamp } from './time.ts'

/** Inclusive bounds, from texts that the edge has found to be timestamps. */
export function idRange(
  from: string | undefined,
  to: string | undefined,
): { first_id: string | undefined; last_id: string | undefined } {
  return {
    first_id: from === undefined ? undefined : firstUuidAt(bound(from, 'first')),
    last_id: to === undefined ? undefined : lastUuidAt(bound(to, 'last')),
  }
}

// An id holds 48 bits of milliseconds since 1970: earlier and later bounds mean its ends.
function bound(text: string, edge: 'first' | 'last'): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('the edge let a malformed timestamp pass')
  return Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1)
}
