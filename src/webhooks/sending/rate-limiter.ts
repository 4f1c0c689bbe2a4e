// A rate limiter with a small burst. Waits have a minimum length, so that several requests start
// per timer: a timer for each request cost more than sending it.

const burst_ms = 100
const wait_min_ms = 25

export class RateLimiter {
  #next_ms = 0
  readonly #per_second: number

  constructor(per_second: number) {
    this.#per_second = per_second
  }

  /** How long the next request must wait; 0 if it can start now. */
  waitAt(now_ms: number): number {
    const wait_ms = Math.ceil(this.#next_ms - now_ms)
    return wait_ms <= 0 ? 0 : Math.max(wait_ms, wait_min_ms)
  }

  count(now_ms: number): void {
    this.#next_ms = Math.max(this.#next_ms, now_ms - burst_ms) + 1_000 / this.#per_second
  }
}
