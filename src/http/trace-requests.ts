// Records a span for each request: the route, the status and ids, never a URL, a header or a body,
// which contain tokens and personal data. Nothing is added to the response.

import { Counter, type Registry } from '@prometheus-io/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toTypeId } from '../primitives/ids.ts'
import type { Tracing } from '../tracing/open-tracing.ts'
import { parseTraceparent } from '../tracing/trace-context.ts'
import type { Span, Tracer } from '../tracing/tracer.ts'
import type { ResponseEnds } from './response-ends.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined unless the trace of the request is recorded. */
    span?: Span | undefined
    /** Also that of a caller who does not record the trace. */
    trace_id?: string | undefined
  }
}

/** Call it before all other hooks, so that requests that they reject are recorded. */
export function traceRequests(app: FastifyInstance, { tracer, close }: Tracing): void {
  app.decorateRequest('span', undefined)
  app.decorateRequest('trace_id', undefined)
  app.addHook('onRequest', (request, _, done) => {
    if (request.routeOptions.config.quiet !== true) startSpan(tracer, request)
    done()
  })
  // Not earlier: the events of a body that is being read belong to its connection.
  app.addHook('preHandler', (request, _, done) => tracer.runWith(request.span, done))
  app.addHook('onClose', close)
}

/**
 * A caller can ask for no recording. It cannot ask for more than the ratio: the ratio protects the
 * operator's collector.
 */
function startSpan(tracer: Tracer, request: FastifyRequest): void {
  const parent = parseTraceparent(request.headers.traceparent)
  request.trace_id = parent?.trace_id
  if (parent?.is_sampled === false) return
  request.span = tracer.start({ name: request.method, kind: 'server', parent }, parent?.trace_id)
  if (request.span !== undefined) request.trace_id = request.span.trace_id
}

export function endSpans(ends: ResponseEnds): void {
  ends.add((request, reply) => {
    const { span } = request
    if (span !== undefined) endSpan(span, request, reply)
  })
}

// The attribute names of OpenTelemetry's semantic conventions, where there are any.
function endSpan(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, method, error_code } = request
  const { statusCode: status } = reply
  const route = request.routeOptions.url
  span.name = route === undefined ? method : `${method} ${route}`
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'florin.request_id': request.id,
    'florin.account_id': caller?.account_id ? toTypeId('account', caller.account_id) : undefined,
    'florin.error': error_code,
    'florin.aborted': reply.raw.writableFinished ? undefined : true,
  })
  // An error of the caller is not a failure of this server.
  if (status >= 500) span.error_type = error_code ?? String(status)
  span.end()
}

export function measureSpans(registry: Registry, { countDropped }: Tracing): void {
  let reported = 0
  new Counter({
    name: 'florin_trace_spans_dropped_total',
    help: 'Spans that were lost because the collector was too slow or rejected them.',
    registers: [registry],
    collect() {
      const dropped = countDropped()
      this.inc(dropped - reported)
      reported = dropped
    },
  })
}
