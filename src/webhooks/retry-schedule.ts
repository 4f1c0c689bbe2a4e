// The retry delays of a delivery, as Standard Webhooks recommends. The first retries cover a
// restart, the later ones an outage of days. After ten attempts over three days the delivery fails.

const second_ms = 1_000
const minute_ms = 60 * second_ms
const hour_ms = 60 * minute_ms

const waits_ms = [
  5 * second_ms,
  5 * minute_ms,
  30 * minute_ms,
  2 * hour_ms,
  5 * hour_ms,
  10 * hour_ms,
  14 * hour_ms,
  20 * hour_ms,
  24 * hour_ms,
]

// Spreads the retries of deliveries that failed together.
const jitter = 0.2

/** Undefined after the last attempt. `chance` is from 0 to 1. */
export function waitAfter(attempts: number, chance: number): number | undefined {
  const wait_ms = waits_ms[attempts - 1]
  return wait_ms && Math.round(wait_ms * (1 + jitter * (2 * chance - 1)))
}

export const attempts_max = waits_ms.length + 1

/**
 * An endpoint that has failed for this long is disabled by the next delivery that uses up its
 * attempts. It is the shortest duration of the retry schedule, so the first lost delivery disables
 * a dead endpoint and its owner is notified.
 */
export const failing_ms_max = Math.floor(
  (1 - jitter) * waits_ms.reduce((sum, wait_ms) => sum + wait_ms),
)
