// So many a second, a few at once after a rest. Whoever must wait rests long enough that several
// may begin together: to be woken for each of them took more than sending it.

const burst_ms = 100
const rest_ms = 25

export class RateLimiter {
  #next_ms = 0
  readonly #per_second: number

  constructor(per_second: number) {
    this.#per_second = per_second
  }

  /** How long the next must wait; nought when it may begin now. */
  waitAt(now_ms: number): number {
    const wait_ms = Math.ceil(this.#next_ms - now_ms)
    return wait_ms <= 0 ? 0 : Math.max(wait_ms, rest_ms)
  }

  count(now_ms: number): void {
    this.#next_ms = Math.max(this.#next_ms, now_ms - burst_ms) + 1_000 / this.#per_second
  }
}
