// Detects whether a series grows. Memory rises and falls with garbage collection, so each window is
// represented by its minimum: what remains after a collection. The Theil–Sen slope, the median over
// all pairs, is robust against outliers. The Mann–Kendall test shows whether the order of the
// points could be chance.

export interface Point {
  at_s: number
  value: number
}

export interface Trend {
  mean: number
  /** The slope over the whole series, in the unit of the series. */
  growth: number
  /** The growth as a share of the mean. */
  share: number
  /** The Mann–Kendall z-score; positive if rising. */
  order: number
  windows: number
}

// In half an hour each window has several collections, and twenty points are enough for both
// estimates: with ten, the test would need nearly every pair in order.
const default_windows = 20

/** Returns undefined if there are too few points. */
export function trendOf(points: readonly Point[], windows = default_windows): Trend | undefined {
  const low = lowestOfEach(points, windows)
  if (low.length < windows / 2) return undefined
  const mean = low.reduce((sum, { value }) => sum + value, 0) / low.length
  const duration_s = points.at(-1)!.at_s - points[0]!.at_s
  const growth = slopeOf(low) * duration_s
  const share = mean === 0 ? 0 : growth / mean
  return { mean, growth, share, order: orderOf(low), windows: low.length }
}

/** Returns the second half. Caches and pools that a start fills are full by then. */
export function secondHalf(points: readonly Point[]): Point[] {
  if (points.length === 0) return []
  const middle_s = (points[0]!.at_s + points.at(-1)!.at_s) / 2
  return points.filter(({ at_s }) => at_s >= middle_s)
}

export function lowestOfEach(points: readonly Point[], windows: number): Point[] {
  if (points.length < 2) return [...points]
  const from_s = points[0]!.at_s
  const length_s = (points.at(-1)!.at_s - from_s) / windows
  const lowest = new Map<number, Point>()
  for (const point of points) {
    const at = Math.min(windows - 1, Math.floor((point.at_s - from_s) / length_s))
    const known = lowest.get(at)
    if (known === undefined || point.value < known.value) lowest.set(at, point)
  }
  return [...lowest.values()]
}

/** Theil–Sen estimator: the median slope of all pairs. */
export function slopeOf(points: readonly Point[]): number {
  const slopes: number[] = []
  for (const [one, other] of pairsOf(points)) {
    if (other.at_s > one.at_s) slopes.push((other.value - one.value) / (other.at_s - one.at_s))
  }
  return medianOf(slopes)
}

/** Mann–Kendall test: rising minus falling pairs, as a z-score. */
export function orderOf(points: readonly Point[]): number {
  let score = 0
  for (const [one, other] of pairsOf(points)) score += Math.sign(other.value - one.value)
  const n = points.length
  const ties = Object.values(Object.groupBy(points, ({ value }) => String(value)))
  const tied = ties.reduce((sum, group) => sum + weightOf(group!.length), 0)
  const deviation = Math.sqrt((weightOf(n) - tied) / 18)
  if (score === 0 || deviation === 0) return 0
  return (score - Math.sign(score)) / deviation
}

function weightOf(count: number): number {
  return count * (count - 1) * (2 * count + 5)
}

function* pairsOf(points: readonly Point[]): Generator<[Point, Point]> {
  for (let one = 0; one < points.length; one++) {
    for (let other = one + 1; other < points.length; other++) yield [points[one]!, points[other]!]
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle]!
  return sorted.length === 0 ? 0 : (sorted[middle - 1]! + sorted[middle]!) / 2
}
