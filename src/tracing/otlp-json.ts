// The body of an OTLP/HTTP request: https://opentelemetry.io/docs/specs/otlp. Ids are hex, enums
// are numbers, and 64-bit numbers are strings.

import { type AttributeValue, type Span, type SpanLink, spanKinds } from './tracer.ts'

type Attributes = Record<string, AttributeValue>

export interface SpanSource {
  /** Attributes of the process. */
  resource: Attributes
  version: string
}

/** `epoch_ms` is the wall-clock time at which performance.now() was 0. */
export function otlpJson(spans: Span[], { resource, version }: SpanSource, epoch_ms: number) {
  const scopeSpans = [
    { scope: { name: 'florin', version }, spans: spans.map((span) => spanJson(span, epoch_ms)) },
  ]
  const resourceSpans = [{ resource: { attributes: attributesJson(resource) }, scopeSpans }]
  return JSON.stringify({ resourceSpans })
}

function spanJson(span: Span, epoch_ms: number) {
  const { error_type } = span
  const failed = error_type !== undefined
  const attributes = failed ? { ...span.attributes, 'error.type': error_type } : span.attributes
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...(span.parent_id !== undefined && { parentSpanId: span.parent_id }),
    flags: 1,
    name: span.name,
    kind: spanKinds[span.kind],
    startTimeUnixNano: toNanoseconds(epoch_ms + span.start_ms),
    endTimeUnixNano: toNanoseconds(epoch_ms + span.end_ms),
    attributes: attributesJson(attributes),
    ...(span.links.length > 0 && { links: span.links.map(linkJson) }),
    ...(span.dropped_links > 0 && { droppedLinksCount: span.dropped_links }),
    ...(failed && { status: { code: 2 } }),
  }
}

function linkJson({ trace_id: traceId, span_id: spanId, attributes }: SpanLink) {
  return { traceId, spanId, attributes: attributesJson(attributes) }
}

function attributesJson(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }))
}

function valueJson(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

// A number of nanoseconds since 1970 exceeds 2^53, so the milliseconds stay apart.
function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}
