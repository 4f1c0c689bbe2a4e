// When the periods of a subscription start. Each is computed from the first, not from the
// previous one: a month after January 31 is February 28, and a month later is March 31 again.
// Periods follow the local calendar: across a daylight-saving change the hour stays the same.

import { instantOfWallTime, wallTimeAt } from './time.ts'

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Schedule {
  /** When the first period began. */
  anchor_at: Date
  interval: Interval
  interval_count: number
  /** The time zone of the account. */
  zone: string
}

/** Three years in every unit. A longer interval is most likely a typo (a thousand months). */
export const interval_count_max: Record<Interval, number> = {
  day: 1_096,
  week: 156,
  month: 36,
  year: 3,
}

/** The start of a period; number 0 is the first. */
export function periodAt(schedule: Schedule, number: number): Date {
  const { anchor_at, interval, interval_count, zone } = schedule
  if (number === 0) return anchor_at
  const wall_ms = wallTimeAt(anchor_at.getTime(), zone)
  const later_ms = steps[interval](wall_ms, number * interval_count)
  return new Date(instantOfWallTime(later_ms, zone))
}

const day_ms = 86_400_000

const steps: Record<Interval, (wall_ms: number, count: number) => number> = {
  day: (wall_ms, count) => wall_ms + count * day_ms,
  week: (wall_ms, count) => wall_ms + count * 7 * day_ms,
  month: addMonths,
  year: (wall_ms, count) => addMonths(wall_ms, count * 12),
}

/** The same day of a later month, or the last day of that month if it is shorter. */
function addMonths(wall_ms: number, count: number): number {
  const date = new Date(wall_ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  date.setUTCDate(Math.min(day, daysInMonth(date)))
  return date.getTime()
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

/**
 * The first period, not before number `from`, that starts after this time. A binary search, because
 * a daily subscription that was paused for years has skipped thousands of periods.
 */
export function firstPeriodAfter(schedule: Schedule, at: Date, from: number): number {
  const isAfter = (number: number) => periodAt(schedule, number) > at
  let step = 1
  while (!isAfter(from + step - 1)) step *= 2
  let low = from + Math.floor(step / 2) - 1
  let high = from + step - 1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isAfter(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * The start times of the next periods. The first is the stored one; the others are computed from
 * the anchor in the account's current time zone, as the worker will do.
 */
export function nextPeriods(schedule: Schedule, next_at: Date, count: number): Date[] {
  const number = nearestPeriod(schedule, next_at)
  const later = Array.from({ length: count - 1 }, (_, at) => periodAt(schedule, number + 1 + at))
  return [next_at, ...later]
}

/** The stored time is hours off if the account's time zone has changed since it was computed. */
function nearestPeriod(schedule: Schedule, at: Date): number {
  const after = firstPeriodAfter(schedule, at, 1)
  const distance = (number: number) => Math.abs(periodAt(schedule, number).getTime() - at.getTime())
  return distance(after - 1) <= distance(after) ? after - 1 : after
}

// The dashboard and the worker share the dates of a payment request.

export const expires_after_ms = 30 * day_ms

/** The latest expiry: thirty days ahead, until the end of the day in every time zone. */
export const expires_max_ms = expires_after_ms + day_ms

// A weekend and a day: enough to see the reminder and pay.
const reminder_days_default = 3

// A reminder right after the first email would only annoy.
const reminder_wait_ms = 6 * 3_600_000

/**
 * When the customer gets a reminder of a request that expires at this time. `days`: how many days
 * before; 0 is never, null the default, which is left out for a request that expires soon.
 */
export function reminderTime(expires_at: Date, days: number | null, created_at: Date): Date | null {
  if (days === 0) return null
  const at = new Date(expires_at.getTime() - (days ?? reminder_days_default) * day_ms)
  const earliest_ms = created_at.getTime() + (days === null ? reminder_wait_ms : 0)
  return at.getTime() > earliest_ms ? at : null
}
