// Observes the end of each request: response sent or client disconnected. Fastify's onResponse
// hook covers only the first, so a change by a client that disconnects would leave no trace.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Set when the observers have been called. */
    has_ended: boolean
  }
}

type EndObserver = (request: FastifyRequest, reply: FastifyReply) => void

export class ResponseEnds {
  readonly #observers: EndObserver[] = []

  constructor(app: FastifyInstance) {
    app.decorateReply('has_ended', false)
    app.addHook('onRequest', (request, reply, done) => {
      // Without response headers the outcome is not known yet; onSend handles that case.
      reply.raw.on('close', () => {
        if (reply.raw.headersSent) this.#end(request, reply)
      })
      done()
    })
    app.addHook('onSend', (request, reply, _, done) => {
      if (reply.raw.destroyed) setImmediate(() => this.#end(request, reply))
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      this.#end(request, reply)
      done()
    })
  }

  /** Calls the observer exactly once for each request. */
  add(observer: EndObserver): void {
    this.#observers.push(observer)
  }

  #end(request: FastifyRequest, reply: FastifyReply): void {
    if (reply.has_ended) return
    reply.has_ended = true
    for (const observe of this.#observers) observe(request, reply)
  }
}
