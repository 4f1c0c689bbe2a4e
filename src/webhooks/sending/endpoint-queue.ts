// The queue of one endpoint: its claimed deliveries and its requests in flight. Each endpoint has a
// separate queue, so a slow receiver does not delay the others.

import type { EndpointRow } from '../endpoint.ts'
import type { ClaimedDelivery } from './queries.ts'
import { RateLimiter } from './rate-limiter.ts'

export interface EndpointQueuePace {
  /** Concurrent requests to one endpoint. */
  concurrency: number
  /** The same while the endpoint fails: enough to notice when it recovers. */
  concurrency_failing: number
  /** Requests per second to one endpoint. */
  per_second: number
}

// A receiver with 100 ms latency gets 200 requests per second, and a small server is not flooded.
// An endpoint that hangs holds 2 connections instead of 20.
export const default_queue_pace: EndpointQueuePace = {
  concurrency: 20,
  concurrency_failing: 2,
  per_second: 500,
}

export interface QueuedDelivery {
  delivery: ClaimedDelivery
  /** Undefined if its event has been deleted. */
  body: string | undefined
  lease_id: string
  /** If started later, the lease would expire before the outcome is recorded. */
  start_by_ms: number
}

export class EndpointQueue {
  endpoint: EndpointRow
  failing: boolean
  readonly #waiting: QueuedDelivery[] = []
  #in_flight = 0
  /** The last claim filled the queue, so there is probably more. */
  #was_filled = false
  /** New deliveries were stored that no claim has read yet. */
  #has_new = false
  #has_timer = false
  readonly rate: RateLimiter
  readonly #pace: EndpointQueuePace

  constructor(endpoint: EndpointRow, pace: EndpointQueuePace) {
    this.endpoint = endpoint
    this.failing = endpoint.failing_since !== null
    this.#pace = pace
    this.rate = new RateLimiter(pace.per_second)
  }

  /** Updates the row. While requests are in flight, this worker's view of `failing` is newer. */
  refresh(endpoint: EndpointRow): void {
    this.endpoint = endpoint
    if (this.#in_flight === 0) this.failing = endpoint.failing_since !== null
  }

  /** Empties the queue and returns the deliveries that have not started. */
  drain(): QueuedDelivery[] {
    this.#was_filled = false
    this.#has_new = false
    return this.#waiting.splice(0)
  }

  get size(): number {
    return this.#waiting.length + this.#in_flight
  }

  /** The queue holds twice the concurrency limit, so that it does not run empty. */
  get capacity(): number {
    return Math.max(0, 2 * this.#concurrency - this.size)
  }

  /** Adds claimed deliveries. `has_more`: not all due deliveries were claimed. */
  enqueue(more: QueuedDelivery[], has_more: boolean): void {
    this.#has_new = false
    this.#was_filled = more.length > 0 && (has_more || more.length >= this.capacity)
    this.#waiting.push(...more)
  }

  /** New deliveries were stored for this endpoint. */
  markNew(): void {
    this.#has_new = true
  }

  /** Whether the database has more due deliveries than this queue. */
  get has_more(): boolean {
    return this.#was_filled || this.#has_new
  }

  get needs_refill(): boolean {
    return this.#was_filled && this.capacity > 0 && this.#waiting.length <= this.#concurrency / 2
  }

  get is_idle(): boolean {
    return this.size === 0
  }

  get can_start(): boolean {
    return this.#waiting.length > 0 && this.#in_flight < this.#concurrency && !this.#has_timer
  }

  startLater(wait_ms: number, start: () => void): void {
    this.#has_timer = true
    setTimeout(() => {
      this.#has_timer = false
      start()
    }, wait_ms)
  }

  start(): QueuedDelivery {
    this.#in_flight += 1
    return this.#waiting.shift()!
  }

  finish(): void {
    this.#in_flight -= 1
  }

  get #concurrency(): number {
    return this.failing ? this.#pace.concurrency_failing : this.#pace.concurrency
  }
}
