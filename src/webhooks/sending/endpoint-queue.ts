// The queue of one endpoint: what is claimed for it and waits, and how much is under way. Each has
// its own, so that a slow receiver holds up nothing but itself.

import type { EndpointRow } from '../endpoint.ts'
import type { ClaimedDelivery } from './queries.ts'
import { RateLimiter } from './rate-limiter.ts'

export interface EndpointQueuePace {
  /** Requests at a time to one endpoint. */
  at_once: number
  /** The same while it fails: enough to notice when it is back. */
  at_once_failing: number
  /** Requests a second to one endpoint. */
  per_second: number
}

// A receiver that takes a tenth of a second for each gets two hundred a second, and one small
// server is not flooded. An endpoint that hangs holds two connections instead of twenty.
export const default_queue_pace: EndpointQueuePace = {
  at_once: 20,
  at_once_failing: 2,
  per_second: 500,
}

export interface QueuedDelivery {
  delivery: ClaimedDelivery
  /** Undefined when its event is no longer kept. */
  body: string | undefined
  lease_id: string
  /** Later its lease would run out before its end is written down. */
  begin_by_ms: number
}

export class EndpointQueue {
  endpoint: EndpointRow
  failing: boolean
  readonly #waiting: QueuedDelivery[] = []
  #under_way = 0
  /** Whether the last claim filled it: then there is probably more. */
  #was_filled = false
  /** Whether something was written down for it that no claim has come to yet. */
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

  /** As the database has it now. What this worker has just seen counts until it is written. */
  refresh(endpoint: EndpointRow): void {
    this.endpoint = endpoint
    if (this.#under_way === 0) this.failing = endpoint.failing_since !== null
  }

  /** The endpoint is no longer ours, or no longer there: gives what has not begun. */
  drop(): QueuedDelivery[] {
    this.#was_filled = false
    this.#has_new = false
    return this.#waiting.splice(0)
  }

  get held(): number {
    return this.#waiting.length + this.#under_way
  }

  /** As many again as are under way wait here, so that the queue does not run dry. */
  get capacity(): number {
    return Math.max(0, 2 * this.#at_once - this.held)
  }

  /** What was claimed for it: all that is due, or cut off where the places ended. */
  take(more: QueuedDelivery[], is_cut: boolean): void {
    this.#has_new = false
    this.#was_filled = more.length > 0 && (is_cut || more.length >= this.capacity)
    this.#waiting.push(...more)
  }

  /** Something was written down for it. */
  noteNew(): void {
    this.#has_new = true
  }

  /** Whether more is written down and due than it has taken. */
  get has_more(): boolean {
    return this.#was_filled || this.#has_new
  }

  get needs_refill(): boolean {
    return this.#was_filled && this.capacity > 0 && this.#waiting.length <= this.#at_once / 2
  }

  get is_idle(): boolean {
    return this.held === 0
  }

  get may_begin(): boolean {
    return this.#waiting.length > 0 && this.#under_way < this.#at_once && !this.#has_timer
  }

  beginLater(wait_ms: number, begin: () => void): void {
    this.#has_timer = true
    setTimeout(() => {
      this.#has_timer = false
      begin()
    }, wait_ms)
  }

  begin(): QueuedDelivery {
    this.#under_way += 1
    return this.#waiting.shift()!
  }

  end(): void {
    this.#under_way -= 1
  }

  get #at_once(): number {
    return this.failing ? this.#pace.at_once_failing : this.#pace.at_once
  }
}
