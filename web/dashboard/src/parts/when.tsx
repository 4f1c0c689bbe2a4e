import { useAccountSettings } from '../api/account-settings.ts'

interface WhenProps {
  at: string
  /** Always the date and the time, never "2 min ago". */
  absolute?: boolean
}

const day_ms = 86_400_000

/** Relative while it is fresh, absolute on hover, always in the account's time zone. */
export function When({ at, absolute = false }: WhenProps) {
  const { timezone, language } = useAccountSettings()
  const whole = wholeTime(at, timezone, language)
  const age_ms = Date.now() - Date.parse(at)
  const fresh = age_ms > -day_ms && age_ms < day_ms
  return (
    <time dateTime={at} title={`${whole} (${timezone})`} className="figures whitespace-nowrap">
      {absolute ? whole : fresh ? ago(age_ms, language) : dayAndTime(at, timezone, language)}
    </time>
  )
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

function ago(age_ms: number, language: string): string {
  const [unit, ms] = units.find(([, size]) => Math.abs(age_ms) >= size) ?? units.at(-1)!
  const format = new Intl.RelativeTimeFormat([language, 'en'], { numeric: 'auto', style: 'short' })
  return format.format(-Math.round(age_ms / ms), unit)
}

function dayAndTime(at: string, timeZone: string, language: string): string {
  const date = new Date(at)
  const this_year = date.getUTCFullYear() === new Date().getUTCFullYear()
  return new Intl.DateTimeFormat([language, 'en'], {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(this_year ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  }).format(date)
}

export function wholeTime(at: string, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat([language, 'en'], {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'medium',
  }).format(new Date(at))
}
