import { lazy, Suspense } from 'react'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Health } from '../../api/api-types.ts'
import { Card } from '../../parts/card.tsx'
import type { Series, TimeChartProps } from '../../parts/time-chart.tsx'
import { clockText } from '../../parts/time-text.ts'
import { bytesText, countText, msText, perSecondText } from './health-text.ts'

const TimeChart = lazy(() => import('../../parts/time-chart.tsx'))

type Point = Health['server']['history'][number]

interface ChartConfig {
  title: string
  /** One line that explains the chart. */
  description: string
  kind: TimeChartProps['kind']
  series: (Series & { value: (point: Point) => number | null })[]
  text: (value: number) => string
}

const charts: ChartConfig[] = [
  {
    title: 'Throughput',
    description: 'Responses per second: success (2xx), redirect (3xx), client and server errors.',
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
    description: 'Response time: 50% of requests are faster than p50, 99% are faster than p99.',
    kind: 'lines',
    text: msText,
    series: [
      { name: 'p50', color: 'var(--brand)', value: (point) => point.latency_ms.p50 },
      { name: 'p99', color: 'var(--amber)', dashed: true, value: (point) => point.latency_ms.p99 },
    ],
  },
  {
    title: 'Queue depth',
    description: 'Changes waiting to be written, and requests waiting for a database connection.',
    kind: 'lines',
    text: countText,
    series: [
      {
        name: 'Transactions',
        color: 'var(--brand)',
        value: (point) => point.lanes.transactions.waiting,
      },
      {
        name: 'Payment requests',
        color: 'var(--blue)',
        value: (point) => point.lanes.payments.waiting,
      },
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
    description: 'Connections of this process: busy with a statement, or idle.',
    kind: 'stacked',
    text: countText,
    series: [
      { name: 'Busy', color: 'var(--brand)', value: (point) => point.pool.busy },
      { name: 'Idle', color: 'var(--line-strong)', value: (point) => point.pool.idle },
    ],
  },
  {
    title: 'Event loop',
    description: 'Timer delay. More than 200 ms means that the process is short of CPU time.',
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
    description: 'Resident memory of the process. It should level off, not grow indefinitely.',
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

function ChartCard({ chart, history }: { chart: ChartConfig; history: Point[] }) {
  const settings = useAccountSettings()
  // Shortly after the start, ticks within the same minute need seconds.
  const with_seconds = history.length < 60
  const rows = history.map((point) => ({
    at: Date.parse(point.at),
    values: chart.series.map(({ value }) => value(point)),
  }))
  return (
    <Card title={chart.title} className="flex flex-col">
      <p className="mb-3 min-h-9 text-xs text-muted">{chart.description}</p>
      <Legend chart={chart} last={history.at(-1)} />
      {rows.length < 2 ? (
        <p className="mt-auto flex h-48 items-center justify-center text-muted">
          Data appears 20 seconds after the start.
        </p>
      ) : (
        <Suspense fallback={<div className="skeleton mt-auto h-48 opacity-40" />}>
          <TimeChart
            label={`${chart.title} over the last hour. Now: ${currentText(chart, history.at(-1))}`}
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

function Legend({ chart, last }: { chart: ChartConfig; last: Point | undefined }) {
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

function currentText(chart: ChartConfig, last: Point | undefined): string {
  return chart.series
    .map((one) => {
      const value = last && one.value(last)
      return `${one.name} ${value == null ? 'no data' : chart.text(value)}`
    })
    .join(', ')
}
