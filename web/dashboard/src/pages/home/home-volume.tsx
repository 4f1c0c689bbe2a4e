import { lazy, type ReactNode, Suspense } from 'react'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Volume } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { Change } from '../../parts/change.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money, useMoneyText } from '../../parts/money.tsx'
import { type Period, periodLabels, volumeQuery } from './periods.ts'
import { type VolumePoint, volumePoints } from './volume-points.ts'

const VolumeChart = lazy(() => import('./volume-chart.tsx'))

interface VolumeCardProps {
  period: Period
  /** Undefined until the server's time is known. */
  now: string | undefined
}

/** Money in and out over the period, compared with the previous period. */
export function VolumeCard({ period, now }: VolumeCardProps) {
  const { timezone } = useAccountSettings()
  const query = now === undefined ? undefined : volumeQuery(period, now, timezone)
  const volume = useApiQuery(
    ['volume', query],
    (florin, signal) => florin.account.getVolume(query, { signal }),
    { enabled: query !== undefined },
  )
  if (volume.isError) {
    return (
      <Card title="Volume">
        <Failure error={volume.error} retry={() => volume.refetch()} />
      </Card>
    )
  }
  return (
    <Card title="Volume" action={<Compared period={period} />}>
      <Totals volume={volume.data} />
      <Drawing volume={volume.data} now={now} period={period} />
    </Card>
  )
}

function Compared({ period }: { period: Period }) {
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      <span aria-hidden="true" className="w-4 border-t border-dashed border-line-strong" />
      <span>
        <span className="max-sm:sr-only">compared with </span>
        {periodLabels[period].before}
      </span>
    </span>
  )
}

function Totals({ volume }: { volume: Volume | undefined }) {
  const { language } = useAccountSettings()
  const percent = new Intl.NumberFormat([language, 'en'], {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  const { totals, previous, currency } = volume ?? {}
  const rate = totals?.success_rate
  return (
    <dl className="mb-3 flex flex-wrap gap-x-4 gap-y-2 *:min-w-min *:flex-1 *:max-sm:basis-2/5">
      <Total name="In" mark="bg-brand">
        {totals && <Money amount={totals.in} currency={currency!} />}
        {totals && <Change now={totals.in} before={previous!.in} />}
      </Total>
      <Total name="Out" mark="bg-gold">
        {totals && <Money amount={totals.out} currency={currency!} />}
        {totals && <Change now={totals.out} before={previous!.out} neutral />}
      </Total>
      <Total name="Success rate" explained={rate_means}>
        {totals && <span>{rate == null ? '—' : percent.format(rate)}</span>}
        {totals && <Change now={rate ?? null} before={previous!.success_rate} points />}
      </Total>
    </dl>
  )
}

const rate_means =
  'Successful payments as a share of all successful, failed and declined payments. Each declined ' +
  'card counts as one attempt: a request that failed after ten declined cards counts ten times.'

interface TotalProps {
  name: string
  mark?: string
  /** Shown on hover and read by screen readers. */
  explained?: string
  children: ReactNode[]
}

function Total(props: TotalProps) {
  const [value, change] = props.children
  return (
    <div>
      <dt className="flex items-center gap-2 text-xs text-muted">
        {props.mark && <span aria-hidden="true" className={`h-[3px] w-3 rounded ${props.mark}`} />}
        {props.explained ? <Explained name={props.name} text={props.explained} /> : props.name}
      </dt>
      <dd
        className="figures mt-0.5 flex min-h-[26px] flex-wrap items-baseline gap-x-2 text-lg
 font-semibold"
      >
        {value ?? <span className="skeleton inline-block h-5 w-24 self-center" />}
        {change}
      </dd>
    </div>
  )
}

function Explained({ name, text }: { name: string; text: string }) {
  return (
    <span title={text} className="cursor-help underline decoration-dotted underline-offset-4">
      {name}
      <span className="sr-only">. {text}</span>
    </span>
  )
}

interface DrawingProps {
  volume: Volume | undefined
  now: string | undefined
  period: Period
}

// Fixed height, so nothing below moves when the chart loads.
function Drawing({ volume, now, period }: DrawingProps) {
  const { locale } = useAccountSettings()
  const waiting = <div className="skeleton size-full opacity-40" />
  const points = volume === undefined ? undefined : volumePoints(volume, now ?? volume.to, locale)
  return (
    <>
      <div aria-hidden="true" className="h-56">
        {points === undefined ? (
          waiting
        ) : (
          <Suspense fallback={waiting}>
            <VolumeChart
              points={points}
              currency={volume!.currency}
              before={periodLabels[period].before}
            />
          </Suspense>
        )}
      </div>
      {points && <VolumeTable points={points} currency={volume!.currency} />}
    </>
  )
}

/** The chart's data for screen readers. */
function VolumeTable({ points, currency }: { points: VolumePoint[]; currency: string }) {
  const money = useMoneyText()
  return (
    <div className="sr-only">
      <table>
        <caption>Volume over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">In</th>
            <th scope="col">Out</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <th scope="row">{point.title}</th>
              <td>{point.in === undefined ? '' : money(point.in, currency)}</td>
              <td>{point.out === undefined ? '' : money(point.out, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
