// A range of creation times is a range of ids, because an id starts with its creation time.

import { firstUuidAt, lastUuidAt } from './ids.ts'
import { parseTimestamp } from './time.ts'

/** Inclusive bounds. Schema validation has already checked that both are timestamps. */
export function idRange(
  from: string | undefined,
  to: string | undefined,
): { first_id: string | undefined; last_id: string | undefined } {
  return {
    first_id: from === undefined ? undefined : firstUuidAt(bound(from, 'first')),
    last_id: to === undefined ? undefined : lastUuidAt(bound(to, 'last')),
  }
}

// An id has 48 bits of milliseconds since 1970. Bounds outside of that range are clamped.
function bound(text: string, edge: 'first' | 'last'): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('validation accepted a malformed timestamp')
  return Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1)
}
