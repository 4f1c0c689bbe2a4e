import { lazy, Suspense } from 'react'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Health } from '../../api/api-types.ts'
import { Card } from '../../parts/card.tsx'
import type { Series, TimeChartProps } from '../../parts/time-chart.tsx'
import { clockText } from '../../parts/time-text.ts'
import { bytesText, countText, msText, perSecondText } from './health-text.ts'

const TimeChart = lazy(() => import('../../parts/time-chart.tsx'))

type Point = Health['server']['history'][number]

interface ChartOf {
  title: string
  /** What the figure means, in a line. */
  means: string
  kind: TimeChartProps['kind']
  series: (Series & { value: (point: Point) => number | null })[]
  text: (value: number) => string
}

const charts: ChartOf[] = [
  {
    title: 'Throughput',
    means: 'Answers each second: well (2xx), sent elsewhere (3xx), refused (4xx), failed (5xx).',
    kind: 'stacked',
    text: perSecondText,
    series: [
      { name: '2xx', color: 'var(--brand)', value: (point) => point.requests_per_s['2xx'] },
      { name: '3xx', color: 'var(--blue)', value: (point) => point.requests_per_s['3xx'] },
      { name: '4xx', color: 'var(--amber)', value: (point) => point.requests_per_s['4xx'] },
      { name: '5xx', color: 'var(--red)', value: (point) => point.requests_per_s['5xx'] },
    ],
  },
  {
    title: 'Latency',
    means: 'How long requests take: half are faster than p50, all but one in a hundred than p99.',
    kind: 'lines',
    text: msText,
    series: [
      { name: 'p50', color: 'var(--brand)', value: (point) => point.latency_ms.p50 },
      { name: 'p99', color: 'var(--amber)', dashed: true, value: (point) => point.latency_ms.p99 },
    ],
  },
  {
    title: 'Queue depth',
    means: 'Changes that wait for their turn, by lane, and requests that wait for a connection.',
    kind: 'lines',
    text: countText,
    series: [
      {
        name: 'Transactions',
        color: 'var(--brand)',
        value: (point) => point.lanes.transactions.waiting,
      },
      { name: 'Payments', color: 'var(--blue)', value: (point) => point.lanes.payments.waiting },
      {
        name: 'Subscriptions',
        color: 'var(--gold)',
        value: (point) => point.lanes.subscriptions.waiting,
      },
      {
        name: 'Connection',
        color: 'var(--red)',
        dashed: true,
        value: (point) => point.pool.waiting,
      },
    ],
  },
  {
    title: 'Database connections',
    means: "This process' connections: busy with a statement, or at rest.",
    kind: 'stacked',
    text: countText,
    series: [
      { name: 'Busy', color: 'var(--brand)', value: (point) => point.pool.busy },
      { name: 'At rest', color: 'var(--line-strong)', value: (point) => point.pool.idle },
    ],
  },
  {
    title: 'Event loop',
    means: 'How late timers fire. More than 200 ms means that the process lacks processor time.',
    kind: 'lines',
    text: msText,
    series: [
      { name: 'p50', color: 'var(--brand)', value: (point) => point.event_loop_delay_ms.p50 },
      {
        name: 'p99',
        color: 'var(--amber)',
        dashed: true,
        value: (point) => point.event_loop_delay_ms.p99,
      },
    ],
  },
  {
    title: 'Memory',
    means: 'What the process holds of the memory. It should level off, not climb for ever.',
    kind: 'stacked',
    text: bytesText,
    series: [{ name: 'Resident', color: 'var(--blue)', value: (point) => point.rss_bytes }],
  },
]

export function HealthCharts({ history }: { history: Point[] }) {
  return (
    <div className="mb-4 grid grid-cols-1 gap-4 lg:grid-cols-2">
      {charts.map((chart) => (
        <ChartCard key={chart.title} chart={chart} history={history} />
      ))}
    </div>
  )
}

function ChartCard({ chart, history }: { chart: ChartOf; history: Point[] }) {
  const settings = useAccountSettings()
  // A young process has a few minutes to show, all of them alike without seconds.
  const with_seconds = history.length < 60
  const rows = history.map((point) => ({
    at: Date.parse(point.at),
    values: chart.series.map(({ value }) => value(point)),
  }))
  return (
    <Card title={chart.title} className="flex flex-col">
      <p className="mb-3 min-h-9 text-xs text-muted">{chart.means}</p>
      <Legend chart={chart} last={history.at(-1)} />
      {rows.length < 2 ? (
        <p className="mt-auto flex h-48 items-center justify-center text-muted">
          The line begins twenty seconds after the start.
        </p>
      ) : (
        <Suspense fallback={<div className="skeleton mt-auto h-48 opacity-40" />}>
          <TimeChart
            label={`${chart.title} over the last hour: ${told(chart, history.at(-1))} now`}
            series={chart.series}
            rows={rows}
            kind={chart.kind}
            text={chart.text}
            timeText={(at) => clockText(at, settings, with_seconds)}
          />
        </Suspense>
      )}
    </Card>
  )
}

function Legend({ chart, last }: { chart: ChartOf; last: Point | undefined }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {chart.series.map((one) => {
        const value = last && one.value(last)
        return (
          <li key={one.name} className="flex items-center gap-1.5">
            <svg width="14" height="4" aria-hidden="true">
              <line
                x1="0"
                x2="14"
                y1="2"
                y2="2"
                stroke={one.color}
                strokeWidth="3"
                {...(one.dashed ? { strokeDasharray: '4 3' } : {})}
              />
            </svg>
            <span className="text-muted">{one.name}</span>
            <span className="figures font-semibold">{value == null ? '—' : chart.text(value)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function told(chart: ChartOf, last: Point | undefined): string {
  return chart.series
    .map((one) => {
      const value = last && one.value(last)
      return `${one.name} ${value == null ? 'nothing' : chart.text(value)}`
    })
    .join(', ')
}
