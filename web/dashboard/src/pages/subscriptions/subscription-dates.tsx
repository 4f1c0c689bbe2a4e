import { nextPeriods } from '../../../../../src/primitives/period.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Subscription } from '../../api/api-types.ts'
import { Card } from '../../parts/card.tsx'
import { clockText, dayText } from '../../parts/time-text.ts'

const dates_shown = 5

/** The next request dates, computed as on the server, in the account's time zone. */
export function NextDates({ subscription }: { subscription: Subscription }) {
  const { timezone } = useAccountSettings()
  const { next_at } = subscription
  return (
    <Card title="Next requests" action={<span className="text-xs text-muted">{timezone}</span>}>
      {next_at === null ? (
        <p className="text-muted">{whyNone(subscription)}</p>
      ) : (
        <Dates subscription={subscription} next_at={new Date(next_at)} />
      )}
    </Card>
  )
}

function whyNone({ status }: Subscription): string {
  return status === 'paused'
    ? 'None while the subscription is paused. Resume it to continue with the next period.'
    : 'None. The subscription is canceled.'
}

function Dates({ subscription, next_at }: { subscription: Subscription; next_at: Date }) {
  const settings = useAccountSettings()
  const { created_at, interval, interval_count } = subscription
  const zone = settings.timezone
  const schedule = { anchor_at: new Date(created_at), interval, interval_count, zone }
  return (
    <ol aria-label="Next requests">
      {nextPeriods(schedule, next_at, dates_shown).map((date) => (
        <li
          key={date.getTime()}
          className="border-t border-line py-2 first:border-0 first:pt-0 last:pb-0"
        >
          <time dateTime={date.toISOString()} className="figures flex justify-between gap-4">
            <span>{dayText(date.getTime(), settings, { weekday: true, year: true })}</span>
            <span className="text-muted">{clockText(date.getTime(), settings)}</span>
          </time>
        </li>
      ))}
    </ol>
  )
}
