// Too much load. What lanes cannot take in time is refused before anything is done for it: before
// the router, the token and the body. A refusal that went the way of every other took half as long
// as a payment, and at twice the load the refusals left half of the server to the payments.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, preHandlerHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { standardHeaders } from './standard-headers.ts'

// As many as a lane's queue holds: less than half a second of a busy server.
const in_lanes_max = 2_048

export class Shedding {
  readonly #log: Logger
  readonly #in_lanes_max: number
  readonly #paths: string[] = []
  /** How many wait for accounts that others have: they stand in nobody's way. */
  countBlocked = () => 0
  readonly #leave = () => {
    this.#in_lanes -= 1
  }
  // From the end of its body to the answer. One whose body is still coming may take twenty seconds
  // for it, and with some thousands of those one caller would have all others refused.
  readonly #enter: preHandlerHookHandler = (_, reply, done) => {
    // Whoever has hung up by now is not told of again.
    if (!reply.raw.destroyed) {
      this.#in_lanes += 1
      reply.raw.once('close', this.#leave)
    }
    done()
  }
  #in_lanes = 0
  #refused = 0

  constructor(log: Logger, limits = { in_lanes_max }) {
    this.#log = log
    this.#in_lanes_max = limits.in_lanes_max
  }

  /** Learns which paths lead into lanes. Call it before the routes are registered. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (access === undefined || !('lane' in access)) return
      const path = route.url.split('/:', 1)[0]!
      if (!this.#paths.includes(path)) this.#paths.push(path)
      route.preHandler = this.#enter
    })
    // One line a second at the most: a line for each would add to the load.
    const timer = setInterval(() => this.#report(), 1_000).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  }

  /** Whether the request was refused here, and needs nobody's care any more. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#in_lanes < this.#in_lanes_max || !this.#leadsIntoLane(request)) return false
    if (this.#in_lanes - this.countBlocked() < this.#in_lanes_max) return false
    this.#refused += 1
    const id = toTypeId('request', newRealTimeUuid(Date.now()))
    response.writeHead(503, { ...headers, 'request-id': id }).end(body)
    return true
  }

  #leadsIntoLane({ method, url = '' }: IncomingMessage): boolean {
    if (method === 'GET' || method === 'HEAD') return false
    return this.#paths.some((path) => url.startsWith(path))
  }

  #report(): void {
    if (this.#refused === 0) return
    this.#log.warn({ refused: this.#refused }, 'too much load: requests were refused')
    this.#refused = 0
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
