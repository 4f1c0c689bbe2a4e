// Records spans: what this process did for a request, and how long it took. Code that records has
// a `Tracer | undefined`, which is undefined unless traces are configured, and spans that are
// undefined unless their trace is recorded. So tracing costs nothing while it is off.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isWithinRatio,
  newSpanId,
  newTraceId,
  type SpanContext,
  traceparentOf,
} from './trace-context.ts'

/** The numbers of OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const

export type AttributeValue = string | number | boolean

export interface SpanLink extends SpanContext {
  attributes: Record<string, AttributeValue>
}

// The most entries of a batch. A bulk request can cause more events.
const links_max = 256

interface SpanOptions {
  name: string
  kind: keyof typeof spanKinds
  parent?: SpanContext | undefined
  /** Like performance.now(); now if absent. */
  start_ms?: number
}

export class Span implements SpanContext {
  readonly trace_id: string
  readonly span_id = newSpanId()
  readonly parent_id: string | undefined
  readonly kind: keyof typeof spanKinds
  readonly start_ms: number
  readonly attributes: Record<string, AttributeValue> = {}
  readonly links: SpanLink[] = []
  dropped_links = 0
  name: string
  end_ms = 0
  /** Set for failures of this server or of a server that it called. */
  error_type: string | undefined
  readonly #onEnd: (span: Span) => void

  constructor(
    trace_id: string,
    { name, kind, parent, start_ms = performance.now() }: SpanOptions,
    onEnd: (span: Span) => void,
  ) {
    this.trace_id = trace_id
    this.parent_id = parent?.span_id
    this.name = name
    this.kind = kind
    this.start_ms = start_ms
    this.#onEnd = onEnd
  }

  /** The value of the header `traceparent`, for a request that belongs to this span. */
  get traceparent(): string {
    return traceparentOf(this)
  }

  child(options: Omit<SpanOptions, 'parent'>): Span {
    return new Span(this.trace_id, { ...options, parent: this }, this.#onEnd)
  }

  /** Leaves out undefined values. */
  set(attributes: Record<string, AttributeValue | undefined>): this {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.attributes[name] = value
    }
    return this
  }

  link({ trace_id, span_id }: SpanContext, attributes: SpanLink['attributes'] = {}): void {
    if (this.links.length < links_max) this.links.push({ trace_id, span_id, attributes })
    else this.dropped_links += 1
  }

  end(end_ms = performance.now()): void {
    this.end_ms = end_ms
    this.#onEnd(this)
  }
}

export class Tracer {
  readonly #ratio: number
  readonly #onEnd: (span: Span) => void
  /** The request that the running code belongs to: null if its trace is not recorded. */
  readonly #current = new AsyncLocalStorage<Span | null>()

  /** `onEnd` receives every span that has ended. */
  constructor(sample_ratio: number, onEnd: (span: Span) => void) {
    this.#ratio = sample_ratio
    this.#onEnd = onEnd
  }

  /** Undefined if the trace is not recorded. Without a trace id, the span starts a new trace. */
  start(options: SpanOptions, trace_id = newTraceId()): Span | undefined {
    return isWithinRatio(trace_id, this.#ratio) ? this.record(options, trace_id) : undefined
  }

  /** Starts a span that is recorded whatever the ratio, for others that are. */
  record(options: SpanOptions, trace_id = newTraceId()): Span {
    return new Span(trace_id, options, this.#onEnd)
  }

  /** A span of the current request, or of a new trace outside of requests. */
  startCurrent(options: Omit<SpanOptions, 'parent'>): Span | undefined {
    const current = this.#current.getStore()
    return current === undefined ? this.start(options) : current?.child(options)
  }

  runWith(request: Span | undefined, work: () => void): void {
    this.#current.run(request ?? null, work)
  }
}
