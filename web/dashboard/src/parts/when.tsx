import { useAccountSettings } from '../api/account-settings.ts'
import { useNow } from '../api/clock.ts'
import { dayLabel, exactTime, longTime, relativeText, shortTime } from './time-text.ts'

interface WhenProps {
  at: string
  /** Always date and time, never "2 min ago". */
  absolute?: boolean
  /** Like `absolute`, in the short form for table rows. */
  short?: boolean
  /** The time may be in the future. */
  coming?: boolean
  /** Real time instead of the sandbox clock: sessions, webhooks, the request log. */
  real?: boolean
}

const day_ms = 86_400_000

/** Relative within a day, exact on hover, always in the account's time zone. */
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

/** A calendar day such as 2026-11-17, which is the same in every time zone. */
export function Day({ on }: { on: string }) {
  const { locale } = useAccountSettings()
  return (
    <time dateTime={on} className="figures whitespace-nowrap">
      {dayLabel(on, locale, true)}
    </time>
  )
}

function textOf(props: WhenProps, now_ms: number, settings: { timezone: string; locale: string }) {
  const { at, absolute = false, short = false, coming = false } = props
  const age_ms = now_ms - Date.parse(at)
  const is_fresh = age_ms > -day_ms && age_ms < day_ms
  if (absolute) return longTime(at, settings)
  if (short || !is_fresh) return shortTime(at, now_ms, settings)
  // A past event can seem to be in the future when this clock is behind the server's.
  return relativeText(coming ? age_ms : Math.max(0, age_ms))
}
