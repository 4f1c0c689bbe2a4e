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
import { ChartTip, grid, moneyDomain, tick } from '../../parts/chart-parts.tsx'
import { useMoneyText, useShortMoney } from '../../parts/money.tsx'
import type { VolumePoint } from './volume-points.ts'

interface VolumeChartProps {
  points: VolumePoint[]
  currency: string
  /** The label of the previous period, such as "the previous 30 days". */
  before: string
}

export default function VolumeChart({ points, currency, before }: VolumeChartProps) {
  const short = useShortMoney()
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={points}
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid {...grid} />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={48}
          tickMargin={8}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          tickCount={5}
          domain={moneyDomain(
            points.flatMap((point) => [point.in, point.out, point.before]),
            currency,
          )}
          tickFormatter={(amount: number) => short(amount, currency)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={({ active, payload }) =>
            active && payload?.[0] ? (
              <Tip point={payload[0].payload as VolumePoint} currency={currency} before={before} />
            ) : null
          }
        />
        <Line
          dataKey="before"
          stroke="var(--line-strong)"
          strokeDasharray="3 4"
          strokeWidth={1.5}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
        <Area
          dataKey="in"
          stroke="var(--brand)"
          strokeWidth={2}
          fill="var(--brand)"
          fillOpacity={0.1}
          dot={points.length === 1}
          isAnimationActive={false}
        />
        <Line
          dataKey="out"
          stroke="var(--gold)"
          strokeWidth={2}
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  )
}

function Tip(props: { point: VolumePoint; currency: string; before: string }) {
  const { point, currency } = props
  const money = useMoneyText()
  const amounts: [string, number | undefined][] = [
    ['In', point.in],
    ['Out', point.out],
    [`In, ${props.before}`, point.before],
  ]
  const rows = amounts.flatMap(([name, amount]): [string, string][] =>
    amount === undefined ? [] : [[name, money(amount, currency)]],
  )
  return <ChartTip title={point.title} rows={rows} />
}
