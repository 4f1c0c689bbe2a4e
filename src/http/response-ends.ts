// When a request is over: its response has been sent, or the client hung up. Fastify's onResponse
// hook knows only the first, so a client that hangs up would leave no trace of what it changed.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Set when the observers of ends have been called. */
    has_ended: boolean
  }
}

export type EndObserver = (request: FastifyRequest, reply: FastifyReply) => void

export class ResponseEnds {
  readonly #observers: EndObserver[] = []

  constructor(app: FastifyInstance) {
    app.decorateReply('has_ended', false)
    app.addHook('onRequest', (request, reply, done) => {
      // Without a response yet its outcome is not known: onSend waits for it.
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
