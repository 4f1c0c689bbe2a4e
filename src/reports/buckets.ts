// A period of time cut along the calendar on the account's wall: hours, days, weeks from Monday on,
// and months. The first and the last piece end where the period does, so all of them together are
// the period, and nothing is counted twice or left out when clocks are changed.

import { Refusal } from '../primitives/refusal.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { instantOfWallTime, wallTimeAt } from '../primitives/wall-time.ts'

export const bucket_intervals = ['hour', 'day', 'week', 'month'] as const

export type BucketInterval = (typeof bucket_intervals)[number]

/** Milliseconds since 1970, both inclusive, as bounds of lists are. */
export interface Span {
  from: number
  to: number
}

/** A year of days and a month over; more points than a screen has room for tell nobody more. */
export const buckets_max = 400

const hour_ms = 3_600_000
const day_ms = 86_400_000
// 1 January 1970 was a Thursday: the Monday before lies three days back.
const monday_ms = -3 * day_ms

export function cutIntoBuckets(
  span: Span,
  interval: BucketInterval,
  zone: string,
  count_max = buckets_max,
): Span[] {
  const buckets: Span[] = []
  for (let from = span.from; from <= span.to; ) {
    if (buckets.length === count_max) throw tooMany(interval)
    const next = Math.min(nextEdge(from, interval, zone), span.to + 1)
    buckets.push({ from, to: next - 1 })
    from = next
  }
  return buckets
}

function tooMany(interval: BucketInterval): Refusal {
  const advice = interval === 'month' ? '' : 'take a longer interval, or '
  return new Refusal(
    'invalid_request',
    `from, to and interval make more than ${buckets_max} buckets of one ${interval} each. ` +
      `${advice}bring from and to closer together.`.replace(/^./, (first) => first.toUpperCase()),
  )
}

/** Where the next bucket begins: always later, and at most one interval on the wall. */
function nextEdge(at_ms: number, interval: BucketInterval, zone: string): number {
  const wall_ms = wallTimeAt(at_ms, zone)
  // An hour that clocks show twice is two buckets. In zones that are changed by half an hour one is
  // half as long, and the one after it begins with a full hour again.
  if (interval === 'hour') return at_ms + hour_ms - modulo(wall_ms, hour_ms)
  let next_wall_ms = later[interval](wall_ms)
  // A day that was left out, as islands do that move across the date line, is no bucket.
  while (instantOfWallTime(next_wall_ms, zone) <= at_ms)
    next_wall_ms = later[interval](next_wall_ms)
  return instantOfWallTime(next_wall_ms, zone)
}

/** The midnight on the wall with which the next one begins. */
const later = {
  day: (wall_ms: number) => wall_ms - modulo(wall_ms, day_ms) + day_ms,
  week: (wall_ms: number) => wall_ms - modulo(wall_ms - monday_ms, 7 * day_ms) + 7 * day_ms,
  month: (wall_ms: number) => {
    const date = new Date(wall_ms)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  },
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

/** The first instant of the day on the wall that this instant lies in. */
export function startOfDay(at_ms: number, zone: string): number {
  return instantOfWallTime(dayOf(at_ms, zone), zone)
}

function dayOf(at_ms: number, zone: string): number {
  const wall_ms = wallTimeAt(at_ms, zone)
  return wall_ms - modulo(wall_ms, day_ms)
}

/**
 * As long as this one and just before it. Whole days on the wall are compared with as many whole
 * days, even if one of them has an hour more.
 */
export function spanBefore(span: Span, zone: string): Span {
  const end = span.to + 1
  const is_whole = startOfDay(span.from, zone) === span.from && startOfDay(end, zone) === end
  const days_ms = dayOf(end, zone) - dayOf(span.from, zone)
  const from = is_whole
    ? instantOfWallTime(dayOf(span.from, zone) - days_ms, zone)
    : span.from - (end - span.from)
  return { from: Math.max(from, 0), to: span.from - 1 }
}

// An id holds no time before 1970, so nothing can have happened then; a day later there is room for
// a period before. A timestamp is written with four digits of a year.
const earliest_ms = day_ms
const latest_ms = Date.UTC(10_000, 0, 1) - 1

/** A date alone is that day on the account's wall; a time is the instant that it names. */
export function readEdge(text: string, edge: 'first' | 'last', zone: string): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('the edge let a malformed timestamp pass')
  const at_ms = clamp(time.getTime())
  if (text.length > '2026-01-31'.length) return at_ms
  const midnight_ms = at_ms - modulo(at_ms, day_ms)
  if (edge === 'first') return clamp(instantOfWallTime(midnight_ms, zone))
  return clamp(instantOfWallTime(midnight_ms + day_ms, zone) - 1)
}

function clamp(at_ms: number): number {
  return Math.min(Math.max(at_ms, earliest_ms), latest_ms)
}
