// Evaluates the measures of a soak and gives its verdict: FLAT, GROWING, FAILED or INVALID.

import { type Point, secondHalf, type Trend, trendOf } from './trend.ts'

type Kind = 'memory' | 'handles' | 'queue' | 'reported'

export interface Measure {
  name: string
  kind: Kind
  unit: 'MB' | 'count'
}

export interface EvaluatedMeasure extends Measure {
  trend: Trend | undefined
  first: number | undefined
  last: number | undefined
  verdict: 'FLAT' | 'GROWING' | 'REPORTED' | 'TOO FEW'
}

// A measure grows if its slope over the second half exceeds a share of its mean and an absolute
// value, and its order is statistically significant. Over half an hour, 5 % of 150 MB is 30 MB an
// hour: a server with a smaller leak runs for days, and finding it needs a longer run. A process
// has about twenty descriptors when idle, and two more may be event streams. A queue has what
// arrived since the worker's last round, about a hundred entries at some hundreds a second.
export const tolerances: Record<Exclude<Kind, 'reported'>, { share: number; min: number }> = {
  memory: { share: 0.05, min: 4 },
  handles: { share: 0.05, min: 3 },
  queue: { share: 0.1, min: 100 },
}

// The z-score that one in a hundred steady series exceeds by chance.
const min_order = 2.33

export function evaluateMeasure(measure: Measure, points: readonly Point[]): EvaluatedMeasure {
  const trend = trendOf(secondHalf(points))
  const ends = { first: points[0]?.value, last: points.at(-1)?.value }
  return { ...measure, ...ends, trend, verdict: measureVerdict(measure.kind, trend) }
}

function measureVerdict(kind: Kind, trend: Trend | undefined): EvaluatedMeasure['verdict'] {
  if (kind === 'reported') return 'REPORTED'
  if (trend === undefined) return 'TOO FEW'
  const { share, min } = tolerances[kind]
  const grows = trend.share > share && trend.growth > min && trend.order > min_order
  return grows ? 'GROWING' : 'FLAT'
}

export interface SoakTotals {
  /** Number of expected responses for each operation of the mix. */
  done: Record<string, number>
  /** Unexpected responses, and requests without a response. */
  wrong: number
  /** Processes that exited and were restarted. */
  restarts: number
  seconds: number
  per_second: number
  target_per_second: number
}

/** Every operation must have run, and at least nine of ten requests must have been sent in time. */
export function missedFloors(totals: SoakTotals): string[] {
  const missed: string[] = []
  if (totals.per_second < totals.target_per_second * 0.9) {
    missed.push(`${totals.per_second} of ${totals.target_per_second} requests per second`)
  }
  const min = Math.max(1, Math.floor(totals.seconds / 60))
  for (const [name, count] of Object.entries(totals.done)) {
    if (count < min) missed.push(`${name} ${count} of ${min}`)
  }
  return missed
}

export type SoakVerdict = 'FLAT' | 'GROWING' | 'FAILED' | 'INVALID'

export const exitCodes: Record<SoakVerdict, number> = { FLAT: 0, GROWING: 1, FAILED: 1, INVALID: 2 }

/** A failure counts even if the coverage was too low. */
export function soakVerdict(evaluated: EvaluatedMeasure[], totals: SoakTotals): SoakVerdict {
  if (evaluated.some(({ verdict }) => verdict === 'GROWING')) return 'GROWING'
  if (totals.wrong > 0 || totals.restarts > 0) return 'FAILED'
  const too_few = evaluated.some(({ verdict }) => verdict === 'TOO FEW')
  return too_few || missedFloors(totals).length > 0 ? 'INVALID' : 'FLAT'
}
