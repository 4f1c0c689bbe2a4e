// Numbers for Prometheus: the process's own, one histogram of requests by route, the pools and
// the lanes. /v1/health draws its history from the same ones.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../postgres/database.ts'
import type { ResponseEnds } from './response-ends.ts'

/** What can be told of lanes: those of transactions, payments and subscriptions have it. */
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
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'florin_http_request_duration_seconds',
    help: 'How long requests took, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  measurePools(registry, db)
  measureLanes(registry, lanes)
  const observers = new Observers(seconds)
  ends.add((request, reply) => {
    // How long somebody listened says nothing about how fast we are.
    const { endless } = request.routeOptions.config
    if (endless !== true) observers.of(request, reply).observe(reply.elapsedTime / 1_000)
  })
  return { registry, seconds }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An answer that goes on until somebody ends it. */
    endless?: boolean
  }
}

// Finding a counter by its labels took longer than counting. Routes, methods and statuses are few.
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
    const made = this.#seconds.labels({ route, method, status: reply.statusCode })
    this.#known.set(name, made)
    return made
  }
}

function measurePools(registry: Registry, db: Db): void {
  const pools = { requests: db, lanes: db.reserved, waiting: db.reserved.waiting_pool }
  new Gauge({
    name: 'florin_database_clients',
    help: 'Connections to the database, by whom they are for and what they are doing.',
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

// The lanes count for themselves, two additions for a batch; they are read when somebody asks.
function measureLanes(registry: Registry, lanes: Record<string, LaneStats>): void {
  const each = Object.entries(lanes)
  new Gauge({
    name: 'florin_lane_waiting',
    help: 'Changes that wait in a lane.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      for (const [lane, { waiting }] of each) this.set({ lane }, waiting)
    },
  })
  new Gauge({
    name: 'florin_lane_blocked',
    help: 'Changes of accounts that somebody else has, such as one that is being closed.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      for (const [lane, { in_waiting_lanes }] of each) this.set({ lane }, in_waiting_lanes)
    },
  })
  new Counter({
    name: 'florin_lane_batches_total',
    help: 'Batches that lanes have run, each one database transaction.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [lane, { processed }] of each) this.inc({ lane }, processed.batches)
    },
  })
  new Counter({
    name: 'florin_lane_changes_total',
    help: 'Changes that were in these batches.',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [lane, { processed }] of each) this.inc({ lane }, processed.entries)
    },
  })
}
