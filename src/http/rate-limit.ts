// How many requests a second one credential or one address may send. Counted in memory, in each
// process: it guards this process's CPU, not a quota that somebody is billed by.

import { Refusal } from '../primitives/refusal.ts'

// now + 1 000 - now is a little more than 1 000 for many a now: where one a second is allowed, up
// to one in seven was refused at its very first request.
const rounding_ms = 0.001

export class RateLimit {
  readonly #per_second: number | undefined
  // When the key's allowance is used up to. Entries older than a second say nothing any more, so
  // two generations, swapped each second, keep the memory bounded without a timer.
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  #swapped_at = 0

  constructor(per_second: number | undefined) {
    this.#per_second = per_second
  }

  /** Counts one request. A key may use a whole second's allowance at once, and then waits. */
  count(key: string, factor = 1): void {
    if (this.#per_second === undefined) return
    const now = performance.now()
    const cost = 1_000 / (this.#per_second * factor)
    const used_up_to = Math.max(this.#find(key, now), now) + cost
    const over_ms = used_up_to - now - 1_000
    if (over_ms > rounding_ms) throw tooMany(over_ms)
    this.#young.set(key, used_up_to)
  }

  /** Whether the next request of this key would be refused, without counting it. */
  isUsedUp(key: string): boolean {
    if (this.#per_second === undefined) return false
    const now = performance.now()
    return this.#find(key, now) - now > 1_000 - 1_000 / this.#per_second + rounding_ms
  }

  #find(key: string, now: number): number {
    if (now - this.#swapped_at > 1_000) {
      this.#old = this.#young
      this.#young = new Map()
      this.#swapped_at = now
    }
    return this.#young.get(key) ?? this.#old.get(key) ?? 0
  }
}

export function tooMany(wait_ms: number): Refusal {
  return new Refusal('rate_limited', 'Too many requests. Slow down, then try again.', {
    retry_after_s: Math.max(1, Math.ceil(wait_ms / 1_000)),
  })
}
