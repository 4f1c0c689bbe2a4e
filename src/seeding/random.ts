// Chance that can be repeated: the same seed gives the same demo, down to the last amount.

import { hash } from 'node:crypto'

export class Random {
  readonly #state: Uint32Array

  /** Several texts, so that each account has a stream of its own whatever the others draw. */
  constructor(...seed: (string | number)[]) {
    const digest = Buffer.from(hash('sha256', seed.join('\n'), 'hex'), 'hex')
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at))
  }

  /** From 0 to just below 1: xoshiro128**, which is small, fast and good enough for a demo. */
  fraction(): number {
    const state = this.#state
    const [a, b, c, d] = state as unknown as [number, number, number, number]
    const drawn = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    state[2] = c ^ a
    state[3] = d ^ b
    state[1] = b ^ state[2]!
    state[0] = a ^ state[3]!
    state[2] = state[2]! ^ (b << 9)
    state[3] = rotate(state[3]!, 11)
    return drawn / 0x1_0000_0000
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** From 0 to just below the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }

  /** Half of all draws lie below the median; a few lie far above it, as amounts of money do. */
  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.#gaussian())
  }

  exponential(mean: number): number {
    return -Math.log(1 - this.fraction()) * mean
  }

  // Box and Muller's way.
  #gaussian(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()))
    return radius * Math.cos(2 * Math.PI * this.fraction())
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
