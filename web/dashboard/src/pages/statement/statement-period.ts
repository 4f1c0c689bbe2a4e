// The period of a statement: from the URL, or the current month to date.

import { getRouteApi } from '@tanstack/react-router'
import { useAccount, useAccountSettings } from '../../api/account-settings.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { addDays, dayAt, endOfDay, startOfDay } from '../../parts/days.ts'

const route = getRouteApi('/shell/statement')

export interface StatementPeriod {
  /** Days, both inclusive. */
  first: string
  last: string
  /** The same as instants. */
  from: string
  to: string
  today: string
  /** The server's time. */
  now_ms: number
}

/** Undefined until the account's time zone and the server's time are known. */
export function useStatementPeriod(): StatementPeriod | undefined {
  const { from, to } = route.useSearch()
  const { timezone } = useAccountSettings()
  const account = useAccount()
  const now = useApiQuery(['attention'], (florin, signal) =>
    florin.account.getAttention({ signal }),
  )
  if (account.data === undefined || now.isLoading) return undefined
  const now_ms = now.data === undefined ? Date.now() : Date.parse(now.data.at)
  const today = dayAt(now_ms, timezone)
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? `${last.slice(0, 8)}01`
  return {
    first,
    last,
    from: startOfDay(first, timezone),
    to: endOfDay(last, timezone),
    today,
    now_ms,
  }
}

/** Preset periods. */
export function presetPeriods(today: string): { name: string; from: string; to: string }[] {
  const month = `${today.slice(0, 8)}01`
  const last_month_end = addDays(month, -1)
  return [
    { name: 'This month', from: month, to: today },
    { name: 'Last month', from: `${last_month_end.slice(0, 8)}01`, to: last_month_end },
    { name: '90 days', from: addDays(today, -89), to: today },
    { name: 'This year', from: `${today.slice(0, 4)}-01-01`, to: today },
  ]
}
