import { useAccountSettings } from '../api/account-settings.ts'
import { useNow } from '../api/clock.ts'
import { exactTime, longTime, relativeText, shortTime } from './time-text.ts'

interface WhenProps {
  at: string
  /** Always the date and the time, never "2 min ago". */
  absolute?: boolean
  /** The same in its short form, for rows of a table. */
  short?: boolean
  /** It is due, and may lie ahead. */
  coming?: boolean
  /** By real time and not by the sandbox's clock: sessions, webhooks, the request log. */
  real?: boolean
}

const day_ms = 86_400_000

/** Relative while it is fresh, exact on hover, always in the account's time zone. */
export function When(props: WhenProps) {
  const settings = useAccountSettings()
  const now_ms = useNow(props.real ? 'real' : 'business')
  return (
    <time
      dateTime={props.at}
      title={exactTime(props.at, settings)}
      className="figures whitespace-nowrap"
    >
      {textOf(props, now_ms, settings)}
    </time>
  )
}

function textOf(props: WhenProps, now_ms: number, settings: { timezone: string; locale: string }) {
  const { at, absolute = false, short = false, coming = false } = props
  const age_ms = now_ms - Date.parse(at)
  const is_fresh = age_ms > -day_ms && age_ms < day_ms
  if (absolute) return longTime(at, settings)
  if (short || !is_fresh) return shortTime(at, now_ms, settings)
  // What has happened can only seem to lie ahead: this clock is late, or was looked at before it.
  return relativeText(coming ? age_ms : Math.max(0, age_ms))
}
