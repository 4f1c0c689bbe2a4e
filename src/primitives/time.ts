// Timestamps. Output is RFC 3339 in UTC with milliseconds. Input is accepted only if it
// round-trips: JavaScript turns 2026-02-30 into March 2, and PostgreSQL accepts `now` and
// `infinity` as dates, so neither parses a caller's text.

const day_ms = 86_400_000

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const milliseconds = Array.from({ length: 1000 }, (_, n) => `.${String(n).padStart(3, '0')}Z`)

let rendered_day = Number.NaN
let rendered_date = ''

/**
 * UTC, milliseconds, `Z`. The rows of a page are from few days, so the date is cached between calls
 * and the time of day comes from tables: 0.2 µs, where `toISOString` takes 1.0 µs.
 */
export function toIso(date: Date | number): string {
  const at_ms = typeof date === 'number' ? Math.trunc(date) : date.getTime()
  const day = Math.floor(at_ms / day_ms)
  if (day !== rendered_day) {
    rendered_date = new Date(at_ms).toISOString().slice(0, -13)
    rendered_day = day
  }
  const in_day_ms = at_ms - day * day_ms
  const hour = twoDigits[(in_day_ms / 3_600_000) | 0]
  const minute = twoDigits[((in_day_ms / 60_000) | 0) % 60]
  const second = twoDigits[((in_day_ms / 1000) | 0) % 60]
  return `${rendered_date}${hour}:${minute}:${second}${milliseconds[in_day_ms % 1000]}`
}

const shape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/

/**
 * The instant of a range bound, or undefined for anything but a strict RFC 3339 date or date-time.
 * A date means its first millisecond as a first bound and its last millisecond as a last bound.
 *
 * Stored times are whole milliseconds and bounds are inclusive, so fractions of a millisecond are
 * rounded into the range: .0001 s becomes .001 s in a first bound and .000 s in a last bound.
 *
 * Leap seconds (`:60`) are rejected: a Date cannot represent them, and there has been none since
 * 2016. A UTC year outside of 0001 to 9999 is rejected too, because it does not fit four digits.
 */
export function parseTimestamp(text: string, edge: 'first' | 'last'): Date | undefined {
  const parts = shape.exec(text)
  if (parts === null) return undefined
  const start_ms = startOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))
  if (start_ms === undefined) return undefined
  if (parts[4] === undefined) return new Date(edge === 'first' ? start_ms : start_ms + day_ms - 1)

  const in_day_ms = timeOfDay(Number(parts[4]), Number(parts[5]), Number(parts[6]))
  const offset_ms = offsetOf(parts[8], Number(parts[9] ?? 0), Number(parts[10] ?? 0))
  if (in_day_ms === undefined || offset_ms === undefined) return undefined

  const second_ms = start_ms + in_day_ms - offset_ms
  const year = new Date(second_ms).getUTCFullYear()
  if (year < 1 || year > 9999) return undefined
  return new Date(second_ms + fraction(parts[7] ?? '', edge))
}

function startOfDay(year: number, month: number, day: number): number | undefined {
  if (year === 0) return undefined
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function timeOfDay(hour: number, minute: number, second: number): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return ((hour * 60 + minute) * 60 + second) * 1000
}

function offsetOf(sign: string | undefined, hour: number, minute: number): number | undefined {
  if (hour > 23 || minute > 59) return undefined
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute) * 60_000
}

function fraction(digits: string, edge: 'first' | 'last'): number {
  const whole_ms = Number(digits.slice(0, 3).padEnd(3, '0'))
  const finer = /[1-9]/.test(digits.slice(3))
  return edge === 'first' && finer ? whole_ms + 1 : whole_ms
}
