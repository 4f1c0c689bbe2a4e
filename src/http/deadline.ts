// Whoever asked gets an answer, also when the database takes its time over each of many statements
// and no single time-out fires.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../primitives/refusal.ts'
import { sendError } from './errors.ts'

// With the pause between two looks every request is answered within ten seconds.
const limits = { respond_within_ms: 9_000, look_every_ms: 500 }

export function enforceDeadline(
  app: FastifyInstance,
  { respond_within_ms, look_every_ms } = limits,
): void {
  // In the order of arrival. A timer for each request, as Fastify's own handlerTimeout has it, took
  // a tenth of the requests that a trivial route can serve; a Map takes next to nothing.
  const waiting = new Map<FastifyReply, number>()
  app.addHook('onRequest', (_, reply, done) => {
    waiting.set(reply, performance.now())
    done()
  })
  app.addHook('onResponse', (_, reply, done) => {
    waiting.delete(reply)
    done()
  })
  const look = () => respondToOverdue(waiting, respond_within_ms)
  const timer = setInterval(look, look_every_ms).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

function respondToOverdue(waiting: Map<FastifyReply, number>, respond_within_ms: number): void {
  const now = performance.now()
  for (const [reply, since] of waiting) {
    if (now - since < respond_within_ms) return
    waiting.delete(reply)
    // Gone, or under way as a stream. A body that is still arriving has a time-out of its own, and
    // the time to answer begins at its end.
    if (reply.raw.headersSent || reply.raw.destroyed) continue
    if (reply.request.raw.complete) sendDeadlineError(reply)
    else waiting.set(reply, now)
  }
}

function sendDeadlineError(reply: FastifyReply): void {
  sendError(tooLate(), reply.request, reply)
  // What the handler returns or sends in the end goes nowhere. Without this Fastify would write a
  // line with the address, which may hold the token of a link.
  reply.hijack()
  reply.send = () => reply
}

function tooLate(): Refusal {
  return new Refusal(
    'unavailable',
    'This takes too long right now. Look whether it happened before you try again.',
    { retry_after_s: 1 },
  )
}
