// Load shedding. Requests that the lanes cannot process in time are rejected before routing,
// authentication and body parsing. Rejecting them in a handler took half as long as a payment:
// at twice the sustainable load, rejections used half of the server.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, preHandlerHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { standardHeaders } from './standard-headers.ts'

// The capacity of a lane's queue: less than half a second of work on a busy server.
const in_lanes_max = 2_048

export class Shedding {
  readonly #log: Logger
  readonly #in_lanes_max: number
  readonly #paths: string[] = []
  /** How many requests wait for locked accounts. They do not delay other requests. */
  countBlocked = () => 0
  readonly #leave = () => {
    this.#in_lanes -= 1
  }
  // Counted from the end of the body to the response. A body may take twenty seconds to
  // arrive, so counting from the head would let one client with a few thousand slow bodies
  // block all others.
  readonly #enter: preHandlerHookHandler = ({ item_count }, reply, done) => {
    // A connection that is already closed emits no further "close" event.
    if (!reply.raw.destroyed) {
      this.#in_lanes += item_count
      const leave = item_count === 1 ? this.#leave : () => this.#leaveAll(item_count)
      reply.raw.once('close', leave)
    }
    done()
  }
  #in_lanes = 0
  #rejected = 0

  constructor(log: Logger, limits = { in_lanes_max }) {
    this.#log = log
    this.#in_lanes_max = limits.in_lanes_max
  }

  #leaveAll(item_count: number): void {
    this.#in_lanes -= item_count
  }

  /**
   * Collects the paths whose changes go through lanes. Call it before the routes are
   * registered.
   */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (access === undefined || !('lane' in access)) return
      const path = route.url.split('/:', 1)[0]!
      if (!this.#paths.includes(path)) this.#paths.push(path)
      route.preHandler = this.#enter
    })
    // At most one log line per second: a line per request would add to the load.
    const timer = setInterval(() => this.#report(), 1_000).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  }

  /** Rejects the request when the lanes are full. Returns true when it has sent the response. */
  sheds(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#in_lanes < this.#in_lanes_max || !this.#usesLane(request)) return false
    if (this.#in_lanes - this.countBlocked() < this.#in_lanes_max) return false
    this.#rejected += 1
    const id = toTypeId('request', newRealTimeUuid(Date.now()))
    response.writeHead(503, { ...headers, 'request-id': id }).end(body)
    return true
  }

  #usesLane({ method, url = '' }: IncomingMessage): boolean {
    if (method === 'GET' || method === 'HEAD') return false
    return this.#paths.some((path) => url.startsWith(path))
  }

  #report(): void {
    if (this.#rejected === 0) return
    this.#log.warn({ rejected: this.#rejected }, 'overloaded: requests rejected')
    this.#rejected = 0
  }
}

const body = JSON.stringify({
  error: 'unavailable',
  message: 'Florin is too busy right now. Try again shortly.',
})

const headers = {
  ...standardHeaders,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'retry-after': '1',
}
