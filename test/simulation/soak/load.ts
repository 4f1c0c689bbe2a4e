// The mix of operations, and two ways to send it: as fast as responses arrive, to measure the
// capacity, and at a fixed rate without waiting for responses.

import { setTimeout as sleep } from 'node:timers/promises'
import { identityOperations } from './identity-operations.ts'
import { moneyOperations } from './money-operations.ts'
import type { Operation } from './operation.ts'
import { readingOperations } from './reading-operations.ts'
import type { SoakWorld } from './soak-world.ts'

const operations: Record<string, Operation> = {
  ...moneyOperations,
  ...readingOperations,
  ...identityOperations,
}

const names = Object.entries(operations).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
)

// Beyond this, requests are not sent but counted as late, as a real client would stop sending.
const max_outstanding = 512
const measuring_lines = 48

export class Load {
  readonly #world: SoakWorld
  readonly done: Record<string, number> = Object.fromEntries(
    Object.keys(operations).map((name) => [name, 0]),
  )
  /** The first failure of each operation. */
  readonly failures = new Map<string, string>()
  sent = 0
  responses = 0
  busy = 0
  wrong = 0
  late = 0
  #outstanding = 0

  constructor(world: SoakWorld) {
    this.#world = world
  }

  /** Measures the capacity in responses per second. */
  async measure(seconds: number): Promise<number> {
    const end_ms = performance.now() + seconds * 1_000
    const line = async () => {
      while (performance.now() < end_ms) await this.#once()
    }
    const lines = Array.from({ length: measuring_lines }, line)
    // The first quarter is warm-up.
    await sleep(seconds * 250)
    const before = this.responses
    const from_ms = performance.now()
    await Promise.all(lines)
    return ((this.responses - before) / (performance.now() - from_ms)) * 1_000
  }

  /** Sends at a fixed rate for a time and waits for the last responses. */
  async runAtRate(rate: number, seconds: number, signal: AbortSignal): Promise<void> {
    const from_ms = performance.now()
    let started = 0
    while (performance.now() - from_ms < seconds * 1_000 && !signal.aborted) {
      const due = Math.floor(((performance.now() - from_ms) / 1_000) * rate)
      for (; started < due; started++) {
        if (this.#outstanding >= max_outstanding) this.late += 1
        else void this.#once()
      }
      await sleep(5)
    }
    while (this.#outstanding > 0) await sleep(20)
  }

  async #once(): Promise<void> {
    const name = this.#world.random.pick(names)
    this.#outstanding += 1
    this.sent += 1
    try {
      this.#count(name, await operations[name]!.run(this.#world))
    } catch (error) {
      this.#fail(name, String(error))
    } finally {
      this.#outstanding -= 1
      this.responses += 1
    }
  }

  #count(name: string, outcome: string | undefined): void {
    if (outcome === 'ok') this.done[name]! += 1
    else if (outcome === 'busy') this.busy += 1
    else if (outcome !== undefined) this.#fail(name, outcome)
  }

  #fail(name: string, what: string): void {
    this.wrong += 1
    if (!this.failures.has(name)) this.failures.set(name, `${name}: ${what}`)
  }
}
