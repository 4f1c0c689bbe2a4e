// The upcoming periods of a subscription, for display.

import { firstPeriodAfter, periodAt, type Schedule } from './period.ts'

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
