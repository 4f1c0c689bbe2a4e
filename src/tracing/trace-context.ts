// Trace ids: from a `traceparent` header (W3C Trace Context), new ones, and those of events. All
// processes that see the same id decide alike whether its trace is recorded.

import { hash, randomBytes } from 'node:crypto'

/** Identifies a span, also of another process. Lower-case hex, as in the header. */
export interface SpanContext {
  trace_id: string
  span_id: string
}

interface ReceivedContext extends SpanContext {
  /** False if the caller does not record its trace. */
  is_sampled: boolean
}

// Later versions may append fields after another dash. Version ff is invalid.
const header = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Undefined if the header is invalid, absent or repeated: then the request starts a new trace. */
export function parseTraceparent(value: unknown): ReceivedContext | undefined {
  const found = typeof value === 'string' ? header.exec(value) : null
  if (found === null) return undefined
  const [, version, trace_id, span_id, flags, rest] = found as unknown as string[]
  if (version === '00' && rest !== undefined) return undefined
  if (/^0+$/.test(trace_id!) || /^0+$/.test(span_id!)) return undefined
  const is_sampled = (Number.parseInt(flags!, 16) & 1) === 1
  return { trace_id: trace_id!, span_id: span_id!, is_sampled }
}

/** The header for a span that is recorded. */
export function traceparentOf({ trace_id, span_id }: SpanContext): string {
  return `00-${trace_id}-${span_id}-01`
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/**
 * The deliveries of an event form one trace, also those of other workers and days. Its id follows
 * from that of the event, so it is known without storing it. Hashed, because samplers expect random
 * ids, and that of an event contains its time and number.
 */
export function eventTrace(event_id: string): SpanContext {
  const text = hash('sha256', event_id)
  return { trace_id: text.slice(0, 32), span_id: text.slice(32, 48) }
}

/** The rule of the OpenTelemetry SDK for JavaScript, so that both choose the same traces. */
export function isWithinRatio(trace_id: string, ratio: number): boolean {
  if (ratio >= 1) return true
  let sum = 0
  for (let at = 0; at < 32; at += 8) sum ^= Number.parseInt(trace_id.slice(at, at + 8), 16)
  return sum >>> 0 < Math.floor(ratio * 0xffffffff)
}
