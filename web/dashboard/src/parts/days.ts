// Calendar days (2026-11-15) in the account's time zone. The API takes instants; users pick days.

import { instantOfWallTime, wallTimeAt } from '../../../../src/primitives/time.ts'

const day_ms = 86_400_000

/** The calendar day of an instant. */
export function dayAt(at: string | number, zone: string): string {
  return dayText(wallTimeAt(new Date(at).getTime(), zone))
}

export function addDays(day: string, count: number): string {
  return dayText(wallOf(day) + count * day_ms)
}

export function daysBetween(first: string, last: string): number {
  return Math.round((wallOf(last) - wallOf(first)) / day_ms)
}

/** The first instant of a day. */
export function startOfDay(day: string, zone: string): string {
  return new Date(instantOfWallTime(wallOf(day), zone)).toISOString()
}

/** The last millisecond of a day: list bounds are inclusive. */
export function endOfDay(day: string, zone: string): string {
  return new Date(instantOfWallTime(wallOf(day) + day_ms, zone) - 1).toISOString()
}

/** A filter holds a day, or an instant when it was set by a link. */
export function isInstant(filter: string): boolean {
  return filter.includes('T')
}

function wallOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

function dayText(wall_ms: number): string {
  return new Date(wall_ms).toISOString().slice(0, 10)
}
