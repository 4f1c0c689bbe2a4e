// Load shedding. Requests that the lanes cannot process in time are rejected before routing,
// authentication and body parsing. Rejecting them in a handler took half as long as a payment:
// at twice the sustainable load, rejections used half of the server.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { body_max_bytes } from './json-body.ts'
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
      if (item_count === 1) reply.raw.once('close', this.#leave)
      else this.#enterItems(reply.raw, item_count)
    }
    done()
  }
  /** The items of bulk requests in the lanes. */
  readonly #items = new WeakMap<ServerResponse, number>()
  // The response of a bulk request fills the buffers of a connection. A client that does not read
  // it would block all others, so the items count only until the response is ready.
  readonly #leaveBeforeSending: onSendHookHandler = (_, reply, payload, done) => {
    this.#leaveItems(reply.raw)
    done(null, payload)
  }
  #in_lanes = 0
  #rejected = 0

  constructor(log: Logger, limits = { in_lanes_max }) {
    this.#log = log
    this.#in_lanes_max = limits.in_lanes_max
  }

  #enterItems(response: ServerResponse, item_count: number): void {
    this.#items.set(response, item_count)
    response.once('close', () => this.#leaveItems(response))
  }

  #leaveItems(response: ServerResponse): void {
    this.#in_lanes -= this.#items.get(response) ?? 0
    this.#items.delete(response)
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
      if (route.bodyLimit === body_max_bytes.bulk) route.onSend = this.#leaveBeforeSending
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
