// The running balance of a period, for the chart. Up to 100 lines are charted as they are. For
// more, the balance is sampled at the end of each day, or of every few days, with at most
// `points_max` requests for one line each.

import type { StatementLine } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { addDays, daysBetween, endOfDay } from '../../parts/days.ts'
import type { StatementPeriod } from './statement-period.ts'

export interface BalancePoint {
  at: number
  balance: number
}

interface RunningBalance {
  opening: number
  closing: number
  points: BalancePoint[]
}

const points_max = 31

export function useRunningBalance(period: StatementPeriod | undefined, zone: string) {
  return useApiQuery(
    ['statement', 'balance', period?.from, period?.to],
    (florin, signal) => readBalance(florin, period!, zone, signal),
    { enabled: period !== undefined },
  )
}

async function readBalance(
  florin: Florin,
  period: StatementPeriod,
  zone: string,
  signal: AbortSignal,
): Promise<RunningBalance> {
  const { from, to } = period
  const before = new Date(Date.parse(from) - 1).toISOString()
  const [opening, lines] = await Promise.all([
    balanceAt(florin, before, signal),
    florin.account.listStatement({ from, to, limit: 100 }, { signal }),
  ])
  const closing = lines.data[0]?.available_after ?? opening
  const inside = lines.has_more
    ? await sample(florin, edgesOf(period, zone), signal)
    : lines.data.toReversed().map(pointOf)
  const first = { at: Date.parse(from), balance: opening }
  const last = { at: lastInstant(period), balance: closing }
  const points = [first, ...inside.filter(({ at }) => at < last.at), last]
  return { opening, closing, points }
}

async function balanceAt(florin: Florin, to: string, signal: AbortSignal): Promise<number> {
  const { data } = await florin.account.listStatement({ to, limit: 1 }, { signal })
  return data[0]?.available_after ?? 0
}

function sample(florin: Florin, edges: string[], signal: AbortSignal): Promise<BalancePoint[]> {
  return Promise.all(
    edges.map(async (edge) => ({
      at: Date.parse(edge),
      balance: await balanceAt(florin, edge, signal),
    })),
  )
}

function pointOf({ created_at, available_after }: StatementLine): BalancePoint {
  return { at: Date.parse(created_at), balance: available_after }
}

function edgesOf({ first, last }: StatementPeriod, zone: string): string[] {
  const days = daysBetween(first, last) + 1
  const step = Math.ceil(days / points_max)
  const count = Math.ceil(days / step)
  return Array.from({ length: count }, (_, at) => endOfDay(addDays(first, at * step), zone))
}

/** The chart ends today even if the period ends later. */
function lastInstant({ to, from, now_ms }: StatementPeriod): number {
  return Math.max(Math.min(Date.parse(to), now_ms), Date.parse(from))
}
