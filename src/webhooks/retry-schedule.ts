// How long a delivery waits after each try that failed: the schedule that Standard Webhooks
// suggests. A receiver that was restarted is met within seconds, one that somebody has to mend
// within days, and after ten tries over three days the delivery has failed.

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

// Deliveries that failed together would come back together.
const jitter = 0.2

/** Undefined when there is no further try. `chance` is from 0 to 1. */
export function waitAfter(attempts: number, chance: number): number | undefined {
  const wait_ms = waits_ms[attempts - 1]
  return wait_ms && Math.round(wait_ms * (1 + jitter * (2 * chance - 1)))
}

export const attempts_max = waits_ms.length + 1

/**
 * An endpoint that has taken nothing for this long is disabled by the next delivery that uses up
 * its tries. It is the least time in which one can, so whoever lost one to a dead endpoint is told.
 */
export const failing_ms_max = Math.floor(
  (1 - jitter) * waits_ms.reduce((sum, wait_ms) => sum + wait_ms),
)
