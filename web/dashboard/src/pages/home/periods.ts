// The periods of Home and their report queries.

import { addDays, dayAt } from '../../parts/days.ts'

export const periods = ['today', '7d', '30d', '90d'] as const

export type Period = (typeof periods)[number]

export const usual_period: Period = '30d'

export const periodLabels: Record<Period, { name: string; before: string }> = {
  today: { name: 'Today', before: 'yesterday' },
  '7d': { name: '7 days', before: 'the previous 7 days' },
  '30d': { name: '30 days', before: 'the previous 30 days' },
  '90d': { name: '90 days', before: 'the previous 90 days' },
}

const days: Record<Period, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 }

/** Full days in the account's time zone, including today. */
export function volumeQuery(period: Period, now: string, zone: string) {
  const today = dayAt(now, zone)
  return {
    from: addDays(today, 1 - days[period]),
    to: today,
    interval: period === 'today' ? 'hour' : 'day',
  } as const
}
