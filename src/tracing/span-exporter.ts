// Sends ended spans to a collector with OTLP over HTTP. A collector that is slow or down must never
// cost memory or delay a request: the queue is bounded, and spans that do not fit are dropped and
// counted.

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { TraceExport } from '../trace-settings.ts'
import { otlpJson, type SpanSource } from './otlp-json.ts'
import type { Span } from './tracer.ts'

interface ExporterParts {
  settings: Pick<TraceExport, 'url' | 'headers'>
  source: SpanSource
  /** Called once per outage, and when a collector rejects spans. */
  onFailure(reason: string): void
  pace?: Partial<ExporterPace>
}

export interface ExporterPace {
  /** How long a span waits for others, unless a batch is full. */
  send_every_ms: number
  batch_max: number
  queue_max: number
  timeout_ms: number
  /** The pause after a failure; doubled after each further one. */
  retry_ms: number
  retries_max: number
  /** How long close() waits for the collector. */
  close_ms: number
}

// A process that records every request at a thousand per second fills three batches per second. The
// queue then holds the spans of two seconds, about 5 MB.
const default_pace: ExporterPace = {
  send_every_ms: 1_000,
  batch_max: 1_024,
  queue_max: 8_192,
  timeout_ms: 10_000,
  retry_ms: 1_000,
  retries_max: 5,
  close_ms: 2_000,
}

// The statuses that the OTLP specification lists as retryable.
const retryable = new Set([429, 502, 503, 504])

const retry_after_max_s = 60

interface SendResult {
  /** How many spans the collector did not accept. */
  lost: number
  /** Undefined if it accepted all of them. */
  reason?: string
  /** Whether to send them again, and after which pause if the collector named one. */
  retry?: { after_ms: number | undefined }
}

export class SpanExporter {
  /** Spans that were lost because the queue was full or the collector did not accept them. */
  dropped = 0
  readonly #parts: ExporterParts
  readonly #pace: ExporterPace
  readonly #agent = new Agent({ connections: 1 })
  readonly #closing = new AbortController()
  #queue: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #is_failing = false
  #is_closed = false

  constructor(parts: ExporterParts) {
    this.#parts = parts
    this.#pace = { ...default_pace, ...parts.pace }
  }

  add(span: Span): void {
    if (this.#is_closed || this.#queue.length >= this.#pace.queue_max) {
      this.dropped += 1
      return
    }
    this.#queue.push(span)
    if (this.#sending !== undefined) return
    if (this.#queue.length >= this.#pace.batch_max) this.#start()
    // Must not keep an otherwise idle process alive.
    else this.#timer ??= setTimeout(() => this.#start(), this.#pace.send_every_ms).unref()
  }

  /** Sends what is queued, for a short time, and closes the connection. */
  async close(): Promise<void> {
    this.#is_closed = true
    const late = setTimeout(() => this.#closing.abort(), this.#pace.close_ms)
    this.#start()
    await this.#sending
    clearTimeout(late)
    await this.#agent.destroy()
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined
    })
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, this.#pace.batch_max)
      this.#queue = this.#queue.slice(batch.length)
      await this.#deliver(batch)
    }
  }

  async #deliver(batch: Span[]): Promise<void> {
    const { retries_max, retry_ms } = this.#pace
    const { signal } = this.#closing
    // Computed for each batch, because the clock of the machine may be adjusted.
    const epoch_ms = Date.now() - performance.now()
    const body = otlpJson(batch, this.#parts.source, epoch_ms)
    for (let retries = 0; ; retries++) {
      const { lost, reason, retry } = await this.#post(body, batch.length)
      this.#report(reason)
      if (retry === undefined || retries >= retries_max || signal.aborted) {
        this.dropped += lost
        return
      }
      const pause_ms = retry.after_ms ?? retry_ms * 2 ** retries
      await sleep(pause_ms, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #report(reason: string | undefined): void {
    if (reason !== undefined && !this.#is_failing) this.#parts.onFailure(reason)
    this.#is_failing = reason !== undefined
  }

  async #post(body: string, spans: number): Promise<SendResult> {
    const { url, headers } = this.#parts.settings
    const { origin, pathname: path } = new URL(url)
    const timeout = AbortSignal.timeout(this.#pace.timeout_ms)
    try {
      const response = await this.#agent.request({
        origin,
        path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.any([this.#closing.signal, timeout]),
      })
      const text = await response.body.text()
      const { statusCode: status } = response
      if (status >= 200 && status < 300) return partialSuccess(text)
      const reason = `the collector returned ${status}`
      if (!retryable.has(status)) return { lost: spans, reason }
      return { lost: spans, reason, retry: { after_ms: waitOf(response.headers['retry-after']) } }
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      const reason = `the collector did not respond: ${code ?? name}`
      return { lost: spans, reason, retry: { after_ms: undefined } }
    }
  }
}

function waitOf(retry_after: string | string[] | undefined): number | undefined {
  const seconds = Number(retry_after)
  return seconds > 0 && seconds <= retry_after_max_s ? seconds * 1_000 : undefined
}

/** A collector may accept a request and reject some of its spans. They must not be sent again. */
function partialSuccess(text: string): SendResult {
  try {
    const lost = Number(JSON.parse(text).partialSuccess?.rejectedSpans ?? 0)
    if (lost > 0) return { lost, reason: `the collector rejected ${lost} spans` }
  } catch {}
  return { lost: 0 }
}
