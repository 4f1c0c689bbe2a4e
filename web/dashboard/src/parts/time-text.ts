// All date and time formats. Lists use a short form ("Nov 17, 4:46 AM", with the year if it is not
// the current one), details a long form ("Nov 17, 2026, 4:46 AM"), tooltips an exact form.

import { dayAt } from './days.ts'

/** A subset of AccountSettings in api/account-settings.ts. */
interface LocaleSettings {
  timezone: string
  locale: string
}

export const utc: LocaleSettings = { timezone: 'UTC', locale: 'en' }

type Format = Intl.DateTimeFormatOptions

const clock: Format = { hour: 'numeric', minute: '2-digit' }
const day: Format = { day: 'numeric', month: 'short' }
const year: Format = { year: 'numeric' }
const second: Format = { second: '2-digit' }

export function shortTime(at: string, now_ms: number, settings: LocaleSettings): string {
  const is_this_year = yearOf(at, settings) === yearOf(now_ms, settings)
  return format(at, settings, { ...day, ...(is_this_year ? {} : year), ...clock })
}

export function longTime(at: string | number, settings: LocaleSettings): string {
  return format(at, settings, { ...day, ...year, ...clock })
}

/** With seconds and time zone. */
export function exactTime(at: string | number, settings: LocaleSettings): string {
  const text = format(at, settings, { ...day, ...year, ...clock, ...second })
  return `${text} (${settings.timezone})`
}

/** The time of day, for chart axes. */
export function clockText(
  at: string | number,
  settings: LocaleSettings,
  with_seconds = false,
): string {
  return format(at, settings, { ...clock, ...(with_seconds ? second : {}) })
}

/** The day without time: "Nov 17", optionally with weekday or year. */
export function dayText(
  at: string | number,
  settings: LocaleSettings,
  more: { weekday?: boolean; year?: boolean } = {},
): string {
  const weekday: Format = more.weekday ? { weekday: 'short' } : {}
  return format(at, settings, { ...weekday, ...day, ...(more.year ? year : {}) })
}

/** Formats a calendar day such as 2026-11-17. */
export function dayLabel(calendar_day: string, locale: string, with_year = false): string {
  return dayText(`${calendar_day}T00:00:00Z`, { timezone: 'UTC', locale }, { year: with_year })
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

// One locale for all accounts: others add a period ("2 hr. ago").
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'short' })

export function relativeText(age_ms: number): string {
  const [unit, ms] = units.find(([, size]) => Math.abs(age_ms) >= size) ?? units.at(-1)!
  return relative.format(-Math.round(age_ms / ms), unit)
}

function format(at: string | number, { timezone, locale }: LocaleSettings, fields: Format): string {
  // "09:26", but "9:26 AM".
  const two_digits: Format = { ...fields, hour: '2-digit' }
  const options = fields.hour && !hasTwelveHours(locale) ? two_digits : fields
  return new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options }).format(new Date(at))
}

function hasTwelveHours(locale: string): boolean {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric' })
  return format.resolvedOptions().hour12 === true
}

function yearOf(at: string | number, { timezone }: LocaleSettings): string {
  return dayAt(at, timezone).slice(0, 4)
}
