// The mix, and two ways to send it: as fast as answers come, to learn how much the server takes;
// and at a rate, whether or not answers come, as the world sends.

import { setTimeout as sleep } from 'node:timers/promises'
import { identityOperations } from './identity-operations.ts'
import { moneyOperations } from './money-operations.ts'
import type { Operation } from './operation.ts'
import { readingOperations } from './reading-operations.ts'
import type { SoakWorld } from './soak-world.ts'

export const operations: Record<string, Operation> = {
  ...moneyOperations,
  ...readingOperations,
  ...identityOperations,
}

const names = Object.entries(operations).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
)

// What is beyond it waits with the client, as a real one would stop sending; it is counted.
const outstanding_max = 512
const lines_when_measuring = 48

export class Load {
  readonly #world: SoakWorld
  readonly done: Record<string, number> = Object.fromEntries(
    Object.keys(operations).map((name) => [name, 0]),
  )
  /** The first of what was wrong with each operation, in words. */
  readonly complaints = new Map<string, string>()
  sent = 0
  answered = 0
  busy = 0
  wrong = 0
  late = 0
  #outstanding = 0

  constructor(world: SoakWorld) {
    this.#world = world
  }

  /** Answers a second when nobody holds back. */
  async measure(seconds: number): Promise<number> {
    const end_ms = performance.now() + seconds * 1_000
    const line = async () => {
      while (performance.now() < end_ms) await this.#once()
    }
    const lines = Array.from({ length: lines_when_measuring }, line)
    // The first quarter warms up what has never run.
    await sleep(seconds * 250)
    const before = this.answered
    const from_ms = performance.now()
    await Promise.all(lines)
    return ((this.answered - before) / (performance.now() - from_ms)) * 1_000
  }

  /** Sends at the rate until the time is over, and waits for the last answers. */
  async runAtRate(rate: number, seconds: number, signal: AbortSignal): Promise<void> {
    const from_ms = performance.now()
    let due_before = 0
    while (performance.now() - from_ms < seconds * 1_000 && !signal.aborted) {
      const due = Math.floor(((performance.now() - from_ms) / 1_000) * rate)
      for (; due_before < due; due_before++) {
        if (this.#outstanding >= outstanding_max) this.late += 1
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
      this.#complain(name, String(error))
    } finally {
      this.#outstanding -= 1
      this.answered += 1
    }
  }

  #count(name: string, outcome: string | undefined): void {
    if (outcome === 'ok') this.done[name]! += 1
    else if (outcome === 'busy') this.busy += 1
    else if (outcome !== undefined) this.#complain(name, outcome)
  }

  #complain(name: string, what: string): void {
    this.wrong += 1
    if (!this.complaints.has(name)) this.complaints.set(name, `${name}: ${what}`)
  }
}
