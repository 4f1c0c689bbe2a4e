// A deterministic random number generator: the same seed gives exactly the same demo.

import { hash } from 'node:crypto'

export class Random {
  readonly #state: Uint32Array

  /** Several values, so that each account has an independent stream. */
  constructor(...seed: (string | number)[]) {
    const digest = Buffer.from(hash('sha256', seed.join('\n'), 'hex'), 'hex')
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at))
  }

  /** From 0 to below 1. Uses xoshiro128**, which is small and fast; not for secrets. */
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

  /** An integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }

  /** Half of all draws are below the median; a few are far above it, like amounts of money. */
  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.#gaussian())
  }

  exponential(mean: number): number {
    return -Math.log(1 - this.fraction()) * mean
  }

  // Box–Muller transform.
  #gaussian(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()))
    return radius * Math.cos(2 * Math.PI * this.fraction())
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
