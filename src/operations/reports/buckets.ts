// Splits a period into calendar buckets in the account's time zone: hours, days, weeks starting on
// Monday, and months. The first and last bucket are cut to the period, so the buckets cover it
// exactly, even across daylight saving changes.

import { Refusal } from '../../primitives/refusal.ts'
import { instantOfWallTime, parseTimestamp, wallTimeAt } from '../../primitives/time.ts'

export const bucket_intervals = ['hour', 'day', 'week', 'month'] as const

export type BucketInterval = (typeof bucket_intervals)[number]

/** Milliseconds since 1970, both ends inclusive. */
export interface Span {
  from: number
  to: number
}

/** Enough for a year of days; a chart cannot show more points. */
export const buckets_max = 400

const hour_ms = 3_600_000
const day_ms = 86_400_000
// January 1, 1970 was a Thursday: the previous Monday is three days earlier.
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
  const advice = interval === 'month' ? 'Shorten' : 'Use a longer "interval", or shorten'
  return new Refusal(
    'invalid_request',
    `"from", "to" and "interval" must result in at most ${buckets_max} buckets of one ` +
      `${interval}; got more than ${buckets_max}. ${advice} the period.`,
  )
}

/** The start of the next bucket: always later, by at most one interval in local time. */
function nextEdge(at_ms: number, interval: BucketInterval, zone: string): number {
  const wall_ms = wallTimeAt(at_ms, zone)
  // An hour that occurs twice in local time is two buckets. Where clocks change by half an hour,
  // one bucket is half as long, and the next one starts on the hour again.
  if (interval === 'hour') return at_ms + hour_ms - modulo(wall_ms, hour_ms)
  let next_wall_ms = later[interval](wall_ms)
  // A day that a time zone skipped, by moving across the date line, has no bucket.
  while (instantOfWallTime(next_wall_ms, zone) <= at_ms)
    next_wall_ms = later[interval](next_wall_ms)
  return instantOfWallTime(next_wall_ms, zone)
}

/** The local midnight at which the next interval starts. */
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

/** The first instant of the local day that contains this instant. */
export function startOfDay(at_ms: number, zone: string): number {
  return instantOfWallTime(dayOf(at_ms, zone), zone)
}

function dayOf(at_ms: number, zone: string): number {
  const wall_ms = wallTimeAt(at_ms, zone)
  return wall_ms - modulo(wall_ms, day_ms)
}

/**
 * The preceding span of the same length. If a span is whole local days, so is the preceding one,
 * even if one of the days is an hour longer.
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

// Ids cannot contain a time before 1970; the extra day leaves room for the preceding span.
// Timestamps have four-digit years.
const earliest_ms = day_ms
const latest_ms = Date.UTC(10_000, 0, 1) - 1

/** A date is a day in the account's time zone; a timestamp is an instant. */
export function readEdge(text: string, edge: 'first' | 'last', zone: string): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('the timestamp was not validated')
  const at_ms = clamp(time.getTime())
  if (text.length > '2026-01-31'.length) return at_ms
  const midnight_ms = at_ms - modulo(at_ms, day_ms)
  if (edge === 'first') return clamp(instantOfWallTime(midnight_ms, zone))
  return clamp(instantOfWallTime(midnight_ms + day_ms, zone) - 1)
}

function clamp(at_ms: number): number {
  return Math.min(Math.max(at_ms, earliest_ms), latest_ms)
}
