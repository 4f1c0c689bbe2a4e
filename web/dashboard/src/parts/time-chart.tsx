// A line or area chart over time. Import lazily: recharts is larger than any page.

import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'

export interface Series {
  name: string
  /** A color token, such as var(--brand). */
  color: string
  /** Distinguishes the line without color. */
  dashed?: boolean
}

export interface TimeChartProps {
  /** The text alternative for screen readers. */
  label: string
  series: Series[]
  /** `at` in milliseconds, and one value per series; null leaves a gap. */
  rows: { at: number; values: (number | null)[] }[]
  kind: 'lines' | 'stacked'
  text: (value: number) => string
  timeText: (at: number) => string
}

const axis_text = { fontSize: 12, fill: 'var(--muted)' }

export function TimeChart(props: TimeChartProps) {
  const { label, series, rows, kind, text, timeText } = props
  return (
    <div role="img" aria-label={label} className="mt-auto h-48 text-xs">
      <ResponsiveContainer
        width="100%"
        height="100%"
        initialDimension={{ width: 320, height: 192 }}
      >
        <ComposedChart
          data={rows}
          margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={['dataMin', 'dataMax']}
            tickFormatter={timeText}
            tick={axis_text}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={48}
          />
          <YAxis
            width={56}
            tickFormatter={text}
            tick={axis_text}
            tickLine={false}
            axisLine={false}
            tickCount={4}
            domain={[0, 'auto']}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)' }}
            content={({ active, payload }) => {
              const row = payload[0]?.payload as TimeChartProps['rows'][number] | undefined
              if (!active || row === undefined) return null
              return <Tip row={row} {...{ series, text, timeText }} />
            }}
          />
          {series.map((one, at) => {
            const shared = {
              key: one.name,
              name: one.name,
              dataKey: (row: TimeChartProps['rows'][number]) => row.values[at],
              stroke: one.color,
              // Stacked areas have no line: the line of a zero value would hide another series.
              strokeWidth: kind === 'stacked' && series.length > 1 ? 0 : 1.75,
              dot: false,
              isAnimationActive: false,
              ...(one.dashed ? { strokeDasharray: '4 3' } : {}),
            }
            const { key, ...rest } = shared
            return kind === 'stacked' ? (
              <Area
                key={key}
                {...rest}
                stackId="all"
                fill={one.color}
                fillOpacity={series.length > 1 ? 0.7 : 0.15}
              />
            ) : (
              <Line key={key} {...rest} />
            )
          })}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}

interface TipProps extends Pick<TimeChartProps, 'series' | 'text' | 'timeText'> {
  row: TimeChartProps['rows'][number]
}

function Tip({ row, series, text, timeText }: TipProps) {
  return (
    <div className="rounded-lg border border-line bg-card px-3 py-2 shadow-raised">
      <div className="mb-1 font-semibold">{timeText(row.at)}</div>
      {series.map((one, at) => {
        const value = row.values[at]
        return (
          <div key={one.name} className="flex justify-between gap-4">
            <span className="text-muted">{one.name}</span>
            <span className="figures">{value == null ? '—' : text(value)}</span>
          </div>
        )
      })}
    </div>
  )
}

export default TimeChart
