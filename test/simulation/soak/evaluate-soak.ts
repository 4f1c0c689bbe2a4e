// What a soak must show, and its verdict: FLAT, GROWING, FAILED or INVALID.

import { type Point, secondHalf, type Trend, trendOf } from './trend.ts'

export type Kind = 'memory' | 'handles' | 'queue' | 'reported'

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

// A measure grows when its slope over the second half is more than this share of its mean, and more
// than this in itself, and the order of its points is no chance. Of half an hour, 5 % of 150 MB are
// 30 MB an hour: a server with such a leak lives for days, and a smaller one takes a longer run. A
// process has some twenty descriptors at rest, and two more are a reader who came; a queue is what
// came in since the worker looked last, which at some hundreds a second is a hundred.
export const tolerances: Record<Exclude<Kind, 'reported'>, { share: number; least: number }> = {
  memory: { share: 0.05, least: 4 },
  handles: { share: 0.05, least: 3 },
  queue: { share: 0.1, least: 100 },
}

// One in a hundred steady series would look so by chance.
const order_least = 2.33

export function evaluateMeasure(measure: Measure, points: readonly Point[]): EvaluatedMeasure {
  const trend = trendOf(secondHalf(points))
  const ends = { first: points[0]?.value, last: points.at(-1)?.value }
  return { ...measure, ...ends, trend, verdict: measureVerdict(measure.kind, trend) }
}

function measureVerdict(kind: Kind, trend: Trend | undefined): EvaluatedMeasure['verdict'] {
  if (kind === 'reported') return 'REPORTED'
  if (trend === undefined) return 'TOO FEW'
  const { share, least } = tolerances[kind]
  const grows = trend.share > share && trend.growth > least && trend.order > order_least
  return grows ? 'GROWING' : 'FLAT'
}

export interface SoakTotals {
  /** Answers of each operation of the mix that were as they should be. */
  done: Record<string, number>
  /** Answers that should not have come, and requests without one. */
  wrong: number
  /** Processes that ended and were started again. */
  restarts: number
  seconds: number
  per_second: number
  per_second_wanted: number
}

/** Every operation was done, and at least nine of ten requests were sent in time. */
export function missedFloors(seen: SoakTotals): string[] {
  const missed: string[] = []
  if (seen.per_second < seen.per_second_wanted * 0.9) {
    missed.push(`${seen.per_second} of ${seen.per_second_wanted} requests a second`)
  }
  const least = Math.max(1, Math.floor(seen.seconds / 60))
  for (const [name, count] of Object.entries(seen.done)) {
    if (count < least) missed.push(`${name} ${count} of ${least}`)
  }
  return missed
}

export type SoakVerdict = 'FLAT' | 'GROWING' | 'FAILED' | 'INVALID'

export const exitCodes: Record<SoakVerdict, number> = { FLAT: 0, GROWING: 1, FAILED: 1, INVALID: 2 }

/** What was seen to be wrong is so, however little else was seen. */
export function soakVerdict(judged: EvaluatedMeasure[], seen: SoakTotals): SoakVerdict {
  if (judged.some(({ verdict }) => verdict === 'GROWING')) return 'GROWING'
  if (seen.wrong > 0 || seen.restarts > 0) return 'FAILED'
  const few = judged.some(({ verdict }) => verdict === 'TOO FEW')
  return few || missedFloors(seen).length > 0 ? 'INVALID' : 'FLAT'
}
