// Every request gets a response, even when many slow statements add up without any single
// timeout firing.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../primitives/refusal.ts'
import { sendError } from './errors.ts'

// Together with the interval between checks, every request gets its response within ten seconds.
const limits = { respond_within_ms: 9_000, check_every_ms: 500 }

export function enforceDeadline(
  app: FastifyInstance,
  { respond_within_ms, check_every_ms } = limits,
): void {
  // In order of arrival. One timer per request, as with Fastify's handlerTimeout, cost a tenth
  // of the throughput of a trivial route; a Map costs almost nothing.
  const waiting = new Map<FastifyReply, number>()
  app.addHook('onRequest', (_, reply, done) => {
    waiting.set(reply, performance.now())
    done()
  })
  app.addHook('onResponse', (_, reply, done) => {
    waiting.delete(reply)
    done()
  })
  const check = () => respondToOverdue(waiting, respond_within_ms)
  const timer = setInterval(check, check_every_ms).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

function respondToOverdue(waiting: Map<FastifyReply, number>, respond_within_ms: number): void {
  const now = performance.now()
  for (const [reply, since] of waiting) {
    if (now - since < respond_within_ms) return
    if (takesFile(reply.request) && now - since < respond_within_ms * file_factor) continue
    waiting.delete(reply)
    // Skip closed connections and streams that have started. A body that is still arriving
    // has a separate timeout; the deadline starts when it is complete.
    if (reply.raw.headersSent || reply.raw.destroyed) continue
    if (reply.request.raw.complete) sendDeadlineError(reply)
    else waiting.set(reply, now)
  }
}

// The import of ten megabytes takes several seconds on an idle machine.
const file_factor = 6

function takesFile({ routeOptions }: FastifyReply['request']): boolean {
  const access = routeOptions.config.access
  return access !== undefined && 'file' in access && access.file === true
}

function sendDeadlineError(reply: FastifyReply): void {
  sendError(tooLate(), reply.request, reply)
  // Discard whatever the handler returns or sends later. Otherwise Fastify logs a line with
  // the URL, which may contain a token from a link.
  reply.hijack()
  reply.send = () => reply
}

function tooLate(): Refusal {
  return new Refusal(
    'unavailable',
    'The server did not finish in time and the outcome is unknown. Retry with the same ' +
      'Idempotency-Key, or check whether the change was applied.',
    { retry_after_s: 1 },
  )
}
