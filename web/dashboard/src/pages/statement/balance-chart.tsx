import {
  Area,
  AreaChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { ChartTip, grid, moneyDomain, tick } from '../../parts/chart-parts.tsx'
import { useMoneyText, useShortMoney } from '../../parts/money.tsx'
import { dayText, longTime } from '../../parts/time-text.ts'
import type { BalancePoint } from './statement-balance.ts'

interface BalanceChartProps {
  points: BalancePoint[]
  currency: string
}

export default function BalanceChart({ points, currency }: BalanceChartProps) {
  const settings = useAccountSettings()
  const short = useShortMoney()
  const money = useMoneyText()
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart
        data={points}
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid {...grid} />
        <XAxis
          dataKey="at"
          type="number"
          domain={['dataMin', 'dataMax']}
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={56}
          tickMargin={8}
          tickFormatter={(at: number) => dayText(at, settings)}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          domain={moneyDomain(
            points.map(({ balance }) => balance),
            currency,
          )}
          tickFormatter={(amount: number) => short(amount, currency)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as BalancePoint | undefined
            if (!active || point === undefined) return null
            const title = longTime(point.at, settings)
            return <ChartTip title={title} rows={[['Available', money(point.balance, currency)]]} />
          }}
        />
        {/* Steps, because a balance is constant between two transactions. */}
        <Area
          type="stepAfter"
          dataKey="balance"
          stroke="var(--brand)"
          strokeWidth={2}
          fill="var(--brand)"
          fillOpacity={0.1}
          dot={false}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  )
}
