// When an outbox retries: a table of delays, one per failed attempt.

interface RetrySchedule {
  attempts_max: number
  /** The shortest time from the first attempt to the last. */
  shortest_ms: number
  /** Undefined after the last attempt. `chance` is from 0 to 1. */
  waitAfter(attempts: number, chance?: number): number | undefined
}

const units_ms: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** For example `5s 10m 24h`. */
export function retrySchedule(waits: string): RetrySchedule {
  const waits_ms = waits
    .split(' ')
    .map((wait) => Number.parseInt(wait, 10) * units_ms[wait.at(-1)!]!)
  const shortest_ms = Math.floor((1 - jitter) * waits_ms.reduce((sum, wait_ms) => sum + wait_ms))
  return {
    attempts_max: waits_ms.length + 1,
    shortest_ms,
    waitAfter: (attempts, chance) => {
      const wait_ms = waits_ms[attempts - 1]
      return wait_ms && withJitter(wait_ms, chance)
    },
  }
}

const jitter = 0.2

/** Spreads the retries of rows that failed together. */
export function withJitter(wait_ms: number, chance = Math.random()): number {
  return Math.round(wait_ms * (1 + jitter * (2 * chance - 1)))
}
