// Records a span for each attempt to deliver an event. All attempts of an event are one trace. Its
// id follows from the event's, and the receiver gets it as `traceparent`. The trace of the request
// that caused the event is not stored with it: that would add a column to the rows that every
// payment writes.

import { toTypeId } from '../../primitives/ids.ts'
import { eventTrace } from '../../tracing/trace-context.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import type { EndpointRow } from '../endpoint.ts'
import type { ClaimedDelivery } from './queries.ts'

interface DeliverySpan {
  traceparent: string
  /** With the response, or the error message. */
  end(response: { status: number } | string): void
}

/** Undefined if the trace is not recorded. */
export function startDeliverySpan(
  tracer: Tracer,
  { id: endpoint_id, url }: EndpointRow,
  { account_id, event_id, attempts }: ClaimedDelivery,
): DeliverySpan | undefined {
  const options = { name: 'webhook delivery', kind: 'client' } as const
  const span = tracer.start(options, eventTrace(event_id).trace_id)
  if (span === undefined) return undefined
  span.set({
    'http.request.method': 'POST',
    // Without the path and the query, which may contain a token.
    'server.address': new URL(url).hostname,
    'florin.account_id': toTypeId('account', account_id),
    'florin.endpoint_id': toTypeId('webhook_endpoint', endpoint_id),
    'florin.event_id': toTypeId('event', event_id),
    'florin.attempt': attempts,
  })
  return {
    traceparent: span.traceparent,
    end(response) {
      const status = typeof response === 'string' ? undefined : response.status
      span.set({ 'http.response.status_code': status })
      if (status === undefined) span.error_type = 'no_response'
      else if (status < 200 || status >= 300) span.error_type = String(status)
      span.end()
    },
  }
}
