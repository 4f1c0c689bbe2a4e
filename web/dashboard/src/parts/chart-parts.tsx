// Shared by all charts. Import only from charts, which are loaded lazily.

import type { ReactNode } from 'react'
import { minorDigits } from '../../../../src/primitives/currencies.ts'

export const tick = { fill: 'var(--muted)', fontSize: 12.5 }

export const grid = { vertical: false, stroke: 'var(--line)' } as const

/** The range of the amount axis. Without any volume it is a few whole units, not fractions. */
export function moneyDomain(
  amounts: (number | undefined)[],
  currency: string,
): [number, number | 'auto'] {
  return [0, amounts.some(Boolean) ? 'auto' : 4 * 10 ** minorDigits(currency)]
}

/** The tooltip of a chart. */
export function ChartTip({ title, rows }: { title: string; rows: [string, ReactNode][] }) {
  return (
    <div className="rounded-lg border border-line bg-card px-3 py-2 text-xs shadow-raised">
      <div className="mb-1 font-semibold">{title}</div>
      <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="figures text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
