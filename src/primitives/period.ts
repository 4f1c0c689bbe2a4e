// When the periods of a subscription begin. Each is counted from the first and not from the one
// before it: a month after 31 January is 28 February, and a month after that is 31 March again.
// Days are days of a calendar on the wall: across a change of clocks the hour stays the same.

import { instantOfWallTime, wallTimeAt } from './wall-time.ts'

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Schedule {
  /** When the first period began. */
  anchor_at: Date
  interval: Interval
  interval_count: number
  /** The time zone of whoever gets paid. */
  zone: string
}

/**
 * Three years, whatever they are counted in: whoever is asked to pay more seldom has forgotten the
 * subscription, and a slip of the hand (a thousand months) is told at once.
 */
export const interval_count_max: Record<Interval, number> = {
  day: 1_096,
  week: 156,
  month: 36,
  year: 3,
}

/** The beginning of a period; number 0 is the first. */
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

/** The same day of a later month, or that month's last day where it has no such day. */
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
 * The first period that begins after this time, from a number on. Halved and not walked: a
 * subscription that was paused for years has thousands of days behind it.
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
