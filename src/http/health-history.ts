// The last hour of this process, one point per ten seconds. Points are differences between
// readings of the request histogram behind /metrics, so requests cost nothing extra.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Db } from '../postgres/database.ts'
import { toIso } from '../primitives/time.ts'
import type { LaneStats, RequestMetrics } from './metrics.ts'

interface HealthPoint {
  at: string
  requests_per_s: { '2xx': number; '3xx': number; '4xx': number; '5xx': number }
  latency_ms: { p50: number | null; p99: number | null }
  lanes: Record<string, { waiting: number; batch_size: number | null }>
  pool: { busy: number; idle: number; waiting: number }
  event_loop_delay_ms: { p50: number; p99: number }
  rss_bytes: number
}

interface HistoryParts {
  db: Db
  seconds: RequestMetrics['seconds']
  lanes: Record<string, LaneStats>
}

const point_every_ms = 10_000
const points_max = 360

type Class = keyof HealthPoint['requests_per_s']

interface Counts {
  at_ms: number
  classes: Record<Class, number>
  /** How many requests took at most this many seconds. */
  within: Map<number, number>
  processed: Record<string, { batches: number; entries: number }>
}

// Not the monitor behind /metrics: reading that one resets it.
// Works around a crash in Node 26: the process aborts when a monitor that was never enabled is
// garbage-collected and the open handles are then listed, as the metrics do.
function makeMonitor() {
  const monitor = monitorEventLoopDelay({ resolution: 20 })
  monitor.enable()
  monitor.disable()
  return monitor
}

export class HealthHistory {
  readonly #parts: HistoryParts
  readonly #points: HealthPoint[] = []
  readonly #delay = makeMonitor()
  #before: Counts | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(parts: HistoryParts) {
    this.#parts = parts
  }

  start(): void {
    this.#delay.enable()
    // Must not keep an otherwise idle process alive.
    this.#timer = setInterval(() => void this.note(), point_every_ms).unref()
    void this.note()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#delay.disable()
  }

  get points(): readonly HealthPoint[] {
    return this.#points
  }

  /** Adds a point for the time since the previous call. The first call only sets the baseline. */
  async note(): Promise<void> {
    const counts = await this.#count()
    const before = this.#before
    this.#before = counts
    if (before === undefined) return
    this.#points.push(this.#pointOf(before, counts))
    if (this.#points.length > points_max) this.#points.shift()
    this.#delay.reset()
  }

  async #count(): Promise<Counts> {
    const { lanes, seconds } = this.#parts
    const processed = Object.entries(lanes).map(([name, lane]) => [name, lane.processed] as const)
    const counts: Counts = {
      at_ms: Date.now(),
      classes: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 },
      within: new Map(),
      processed: Object.fromEntries(processed),
    }
    for (const { metricName, labels: given, value } of (await seconds.get()).values) {
      const labels: Partial<Record<string, string | number>> = given
      if (metricName?.endsWith('_count')) {
        const status_class = `${String(labels.status)[0]}xx` as Class
        if (status_class in counts.classes) counts.classes[status_class] += value
      } else if (metricName?.endsWith('_bucket')) {
        const limit = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
        counts.within.set(limit, (counts.within.get(limit) ?? 0) + value)
      }
    }
    return counts
  }

  #pointOf(before: Counts, now: Counts): HealthPoint {
    const { pool } = this.#parts.db
    const elapsed_s = Math.max(now.at_ms - before.at_ms, 1) / 1_000
    const rate = (name: Class) => round((now.classes[name] - before.classes[name]) / elapsed_s)
    const within = [...now.within].map(
      ([limit, count]) => [limit, count - (before.within.get(limit) ?? 0)] as const,
    )
    return {
      at: toIso(now.at_ms),
      requests_per_s: {
        '2xx': rate('2xx'),
        '3xx': rate('3xx'),
        '4xx': rate('4xx'),
        '5xx': rate('5xx'),
      },
      latency_ms: { p50: percentile(within, 0.5), p99: percentile(within, 0.99) },
      lanes: this.#lanesSince(before, now),
      pool: {
        busy: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      },
      event_loop_delay_ms: {
        p50: round(this.#delay.percentile(50) / 1e6),
        p99: round(this.#delay.percentile(99) / 1e6),
      },
      rss_bytes: process.memoryUsage.rss(),
    }
  }

  #lanesSince(before: Counts, now: Counts): HealthPoint['lanes'] {
    const stats = Object.entries(this.#parts.lanes).map(([name, { waiting }]) => {
      const batches = now.processed[name]!.batches - before.processed[name]!.batches
      const entries = now.processed[name]!.entries - before.processed[name]!.entries
      return [name, { waiting, batch_size: batches === 0 ? null : round(entries / batches) }]
    })
    return Object.fromEntries(stats)
  }
}

/**
 * The percentile in milliseconds from cumulative counts; null without requests. Interpolates
 * linearly between two limits, and returns the last finite limit for values beyond it.
 */
export function percentile(
  within: (readonly [limit_s: number, count: number])[],
  share: number,
): number | null {
  const sorted = [...within].sort(([one], [other]) => one - other)
  const rank = (sorted.at(-1)?.[1] ?? 0) * share
  if (rank === 0) return null
  let [low_s, low_count] = [0, 0]
  for (const [limit_s, count] of sorted) {
    if (count >= rank) {
      if (limit_s === Number.POSITIVE_INFINITY) return round(low_s * 1_000)
      const part = (rank - low_count) / (count - low_count)
      return round((low_s + (limit_s - low_s) * part) * 1_000)
    }
    low_s = limit_s
    low_count = count
  }
  return null
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
