// Prometheus metrics: process defaults, a request histogram by route, connection pools and
// lanes. /v1/health derives its history from the same data.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../postgres/database.ts'
import type { ResponseEnds } from './response-ends.ts'

/** The statistics that the lanes of transactions, payments and subscriptions expose. */
export interface LaneStats {
  readonly waiting: number
  readonly in_waiting_lanes: number
  readonly processed: { batches: number; entries: number }
}

export interface RequestMetrics {
  registry: Registry
  seconds: Histogram<'route' | 'method' | 'status'>
}

export function setUpMetrics(
  ends: ResponseEnds,
  db: Db,
  lanes: Record<string, LaneStats>,
): RequestMetrics {
  const registry = Registry.merge([processMetrics()])
  const seconds = new Histogram({
    name: 'florin_http_request_duration_seconds',
    help: 'Request duration by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  measurePools(registry, db)
  measureLanes(registry, lanes)
  const observers = new Observers(seconds)
  ends.add((request, reply) => {
    // The duration of a stream depends on the client, not on the server's speed.
    const { streaming } = request.routeOptions.config
    if (streaming !== true) observers.of(request, reply).observe(reply.elapsedTime / 1_000)
  })
  return { registry, seconds }
}

let process_registry: Registry | undefined

/** Once per process: its timers and observers never stop, and they retain their registry. */
function processMetrics(): Registry {
  if (process_registry === undefined) {
    process_registry = new Registry()
    collectDefaultMetrics({ register: process_registry })
  }
  return process_registry
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response streams until either side closes it. */
    streaming?: boolean
  }
}

// Looking up a labeled child took longer than counting. There are few routes, methods and
// statuses.
class Observers {
  readonly #seconds: Histogram<'route' | 'method' | 'status'>
  readonly #known = new Map<string, ReturnType<Histogram['labels']>>()

  constructor(seconds: Histogram<'route' | 'method' | 'status'>) {
    this.#seconds = seconds
  }

  of(request: FastifyRequest, reply: FastifyReply) {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const name = `${method} ${route} ${reply.statusCode}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const observer = this.#seconds.labels({ route, method, status: reply.statusCode })
    this.#known.set(name, observer)
    return observer
  }
}

function measurePools(registry: Registry, db: Db): void {
  const pools = { requests: db, lanes: db.reserved, waiting: db.reserved.waiting_pool }
  new Gauge({
    name: 'florin_database_clients',
    help: 'Database connections by pool and state.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, { pool }] of Object.entries(pools)) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount)
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount)
        this.set({ pool: name, state: 'waiting' }, pool.waitingCount)
      }
    },
  })
}

// The lanes maintain these counters at two additions per batch; they are read on scrape.
function measureLanes(registry: Registry, lanes: Record<string, LaneStats>): void {
  const each = Object.entries(lanes)
  new Gauge({
    name: 'florin_lane_waiting',
    help: 'Changes waiting in a lane.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      for (const [lane, { waiting }] of each) this.set({ lane }, waiting)
    },
  })
  new Gauge({
    name: 'florin_lane_blocked',
    help: 'Changes waiting for an account that another transaction has locked.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      for (const [lane, { in_waiting_lanes }] of each) this.set({ lane }, in_waiting_lanes)
    },
  })
  new Counter({
    name: 'florin_lane_batches_total',
    help: 'Batches run by a lane. Each is one database transaction.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [lane, { processed }] of each) this.inc({ lane }, processed.batches)
    },
  })
  new Counter({
    name: 'florin_lane_changes_total',
    help: 'Changes processed in these batches.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [lane, { processed }] of each) this.inc({ lane }, processed.entries)
    },
  })
}
