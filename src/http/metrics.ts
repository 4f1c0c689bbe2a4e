// Numbers for Prometheus: the process's own, and one histogram of requests by route.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
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
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe(
      { route, method: request.method, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    )
    done()
  })
  return registry
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
