import { useAccountSettings } from '../api/account-settings.ts'
import { useNow } from '../api/clock.ts'
import { dayAt } from './days.ts'

interface WhenProps {
  at: string
  /** Always the date and the time, never "2 min ago". */
  absolute?: boolean
  /** It is due, and may lie ahead. */
  coming?: boolean
  /** By real time and not by the sandbox's clock: sessions, webhooks, the request log. */
  real?: boolean
}

const day_ms = 86_400_000

/** Relative while it is fresh, absolute on hover, always in the account's time zone. */
export function When({ at, absolute = false, coming = false, real = false }: WhenProps) {
  const { timezone, words } = useAccountSettings()
  const now_ms = useNow(real ? 'real' : 'business')
  const age_ms = now_ms - Date.parse(at)
  const is_fresh = age_ms > -day_ms && age_ms < day_ms
  if (absolute) return <Time at={at} text={wholeTime(at, timezone, words)} />
  if (!is_fresh) return <Time at={at} text={dayAndTime(at, now_ms, timezone, words)} />
  // What has happened can only seem to lie ahead: this clock is late, or was looked at before it.
  return <Time at={at} text={ago(coming ? age_ms : Math.max(0, age_ms), words)} />
}

/** When it was, on the clock: the time for today, the day and the time for what is older. */
export function WhenExactly({ at }: { at: string }) {
  const { timezone, words } = useAccountSettings()
  const now_ms = useNow('business')
  const is_today = dayAt(at, timezone) === dayAt(now_ms, timezone)
  const day = is_today ? {} : dayFields(isSameYear(at, now_ms, timezone) ? undefined : 'numeric')
  return <Time at={at} text={clockTime(at, timezone, words, day)} />
}

/** The day, its year and the time, for paper. */
export function dayAndClock(at: string, timeZone: string, words: string): string {
  return clockTime(at, timeZone, words, dayFields('numeric'))
}

function dayFields(year: 'numeric' | undefined): Intl.DateTimeFormatOptions {
  return { day: 'numeric', month: 'short', ...(year && { year }) }
}

function clockTime(
  at: string,
  timeZone: string,
  words: string,
  day: Intl.DateTimeFormatOptions,
): string {
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(words, { timeZone, ...day, ...time }).format(new Date(at))
}

function isSameYear(at: string, now_ms: number, timeZone: string): boolean {
  return dayAt(at, timeZone).slice(0, 4) === dayAt(now_ms, timeZone).slice(0, 4)
}

function Time({ at, text }: { at: string; text: string }) {
  const { timezone, words } = useAccountSettings()
  const whole = wholeTime(at, timezone, words)
  return (
    <time dateTime={at} title={`${whole} (${timezone})`} className="figures whitespace-nowrap">
      {text}
    </time>
  )
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

function ago(age_ms: number, words: string): string {
  const [unit, ms] = units.find(([, size]) => Math.abs(age_ms) >= size) ?? units.at(-1)!
  const format = new Intl.RelativeTimeFormat(words, { numeric: 'auto', style: 'short' })
  return format.format(-Math.round(age_ms / ms), unit)
}

function dayAndTime(at: string, now_ms: number, timeZone: string, words: string): string {
  return new Intl.DateTimeFormat(words, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(isSameYear(at, now_ms, timeZone)
      ? { hour: '2-digit', minute: '2-digit' }
      : { year: 'numeric' }),
  }).format(new Date(at))
}

export function wholeTime(at: string, timeZone: string, words: string): string {
  return new Intl.DateTimeFormat(words, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'medium',
  }).format(new Date(at))
}
