// The periods of a subscription that are still to come, for whoever shows them.

import { firstPeriodAfter, periodAt, type Schedule } from './period.ts'

/**
 * The next periods' beginnings. The first is the one that is kept; those behind it are reckoned as
 * they will be when they come round: from the first period of all, in the zone of today.
 */
export function nextPeriods(schedule: Schedule, next_at: Date, count: number): Date[] {
  const number = nearestPeriod(schedule, next_at)
  const later = Array.from({ length: count - 1 }, (_, at) => periodAt(schedule, number + 1 + at))
  return [next_at, ...later]
}

/** The kept one was reckoned in the zone of its time: an account that moved is hours beside it. */
function nearestPeriod(schedule: Schedule, at: Date): number {
  const after = firstPeriodAfter(schedule, at, 1)
  const distance = (number: number) => Math.abs(periodAt(schedule, number).getTime() - at.getTime())
  return distance(after - 1) <= distance(after) ? after - 1 : after
}
