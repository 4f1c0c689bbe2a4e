// Limits how much event-loop work one credential or address can cause per second. Counters are
// in memory and per process: they protect this process's CPU and are not a billing quota.
//
// The budget is counted in units. An ordinary request costs one, so a limit of 100 means 100
// requests per second. Larger bodies and documents cost more, in proportion to their size.

import { Refusal } from '../primitives/refusal.ts'

// Floating-point rounding: now + 1 000 - now is often slightly more than 1 000. At a limit of
// one per second, up to one in seven keys was rejected on its first request.
const rounding_ms = 0.001

// Measured: parsing 4 KiB of JSON, or sending 64 KiB of a prepared buffer, takes less time than
// the rest of an ordinary request: 0.15 ms for the most expensive JSON, against 0.1 to 0.6 ms.
const body_bytes_per_unit = 4_096
const document_bytes_per_unit = 65_536

const generation_ms = 2_000

export function unitsOfBody(bytes: number): number {
  return bytes <= body_bytes_per_unit ? 1 : Math.ceil(bytes / body_bytes_per_unit)
}

export function unitsOfDocument(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / document_bytes_per_unit))
}

export class RateLimit {
  readonly #per_second: number | undefined
  // The time up to which each key's allowance is used, rarely more than two seconds ahead. Older
  // entries are irrelevant, so swapping two generations every two seconds bounds memory
  // without a timer.
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  // Keys that have used more than two seconds ahead, after a bulk request.
  readonly #far = new Map<string, number>()
  #swapped_at = 0

  constructor(per_second: number | undefined) {
    this.#per_second = per_second
  }

  /**
   * Charges a request. A key may use a whole second's allowance at once and then has to wait.
   * While one unit is left, a request of any cost is admitted, and the next one waits longer.
   * A request costs at most a second's allowance, so a low limit never rejects a request for
   * its size.
   */
  count(key: string, units = 1, factor = 1): void {
    if (this.#per_second === undefined) return
    const now = performance.now()
    const unit_ms = 1_000 / (this.#per_second * factor)
    const used_up_to = Math.max(this.#find(key, now), now)
    const over_ms = used_up_to + unit_ms - now - 1_000
    if (over_ms > rounding_ms) throw tooMany(over_ms)
    this.#young.set(key, used_up_to + Math.min(units * unit_ms, 1_000))
  }

  /**
   * Raises the cost of an admitted request from `counted` units to `units`, without a maximum: the
   * items of a bulk request cost as much as that many requests. The next request waits. So does one
   * that was admitted before the items of another were known: it is rejected like a new request.
   */
  raise(key: string, counted: number, units: number, factor = 1): void {
    if (this.#per_second === undefined) return
    const now = performance.now()
    const unit_ms = 1_000 / (this.#per_second * factor)
    const counted_ms = Math.min(counted * unit_ms, 1_000)
    const used_up_to = Math.max(this.#find(key, now), now)
    const over_ms = used_up_to - counted_ms + unit_ms - now - 1_000
    if (over_ms > rounding_ms) throw tooMany(over_ms)
    const raised = used_up_to + Math.max(0, units * unit_ms - counted_ms)
    this.#young.set(key, raised)
    if (raised - now > generation_ms) this.#far.set(key, raised)
  }

  /** Refunds one unit that was charged before the paying credential was known. */
  giveBack(key: string): void {
    if (this.#per_second === undefined) return
    this.#young.set(key, this.#find(key, performance.now()) - 1_000 / this.#per_second)
  }

  /** Whether the key's next request would be rejected. Does not charge it. */
  isUsedUp(key: string): boolean {
    if (this.#per_second === undefined) return false
    const now = performance.now()
    return this.#find(key, now) - now > 1_000 - 1_000 / this.#per_second + rounding_ms
  }

  #find(key: string, now: number): number {
    if (now - this.#swapped_at > generation_ms) {
      this.#old = this.#young
      this.#young = new Map()
      this.#swapped_at = now
      for (const [far, up_to] of this.#far) if (up_to < now) this.#far.delete(far)
    }
    return this.#young.get(key) ?? this.#old.get(key) ?? this.#far.get(key) ?? 0
  }
}

export function tooMany(wait_ms: number): Refusal {
  return new Refusal(
    'rate_limited',
    'Too many requests. Retry after the number of seconds in Retry-After.',
    {
      retry_after_s: Math.max(1, Math.ceil(wait_ms / 1_000)),
    },
  )
}
