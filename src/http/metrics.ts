// Numbers for Prometheus: the process's own, and one histogram of requests by route.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../postgres/database.ts'

export function measure(app: FastifyInstance, db: Db): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'florin_http_request_duration_seconds',
    help: 'How long requests took, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  measurePool(registry, db)
  const observers = new Observers(seconds)
  app.addHook('onResponse', (request, reply, done) => {
    // How long somebody listened says nothing about how fast we are.
    const { endless } = request.routeOptions.config
    if (endless !== true) observers.of(request, reply).observe(reply.elapsedTime / 1_000)
    done()
  })
  return registry
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

function measurePool(registry: Registry, { pool }: Db): void {
  new Gauge({
    name: 'florin_database_clients',
    help: 'Connections of the pool, by what they are doing.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waited_for' }, pool.waitingCount)
    },
  })
}
