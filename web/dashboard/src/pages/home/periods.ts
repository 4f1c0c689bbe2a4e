// The periods of Home, and how the report of each is asked for.

import { addDays, dayAt } from '../../parts/days.ts'

export const periods = ['today', '7d', '30d', '90d'] as const

export type Period = (typeof periods)[number]

export const usual_period: Period = '30d'

export const periodLabels: Record<Period, { name: string; before: string }> = {
  today: { name: 'Today', before: 'yesterday' },
  '7d': { name: '7 days', before: 'the 7 days before' },
  '30d': { name: '30 days', before: 'the 30 days before' },
  '90d': { name: '90 days', before: 'the 90 days before' },
}

const days: Record<Period, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 }

/** Whole days of the account's calendar, today among them. */
export function volumeQuery(period: Period, now: string, zone: string) {
  const today = dayAt(now, zone)
  return {
    from: addDays(today, 1 - days[period]),
    to: today,
    interval: period === 'today' ? 'hour' : 'day',
  } as const
}
