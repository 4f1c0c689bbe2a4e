// So many a second, and a few at once after a rest.

const burst_ms = 100

export class Rate {
  #next_ms = 0
  readonly #per_second: number

  constructor(per_second: number) {
    this.#per_second = per_second
  }

  /** How long the next must wait; nought when it may begin now. */
  waitAt(now_ms: number): number {
    return Math.max(0, Math.ceil(Math.max(this.#next_ms, now_ms - burst_ms) - now_ms))
  }

  count(now_ms: number): void {
    this.#next_ms = Math.max(this.#next_ms, now_ms - burst_ms) + 1_000 / this.#per_second
  }
}
