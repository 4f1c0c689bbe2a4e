// The retry delays of an email. The first retries cover a server restart and greylisting. After ten
// attempts over three days the email fails.

const minute_ms = 60_000
const hour_ms = 60 * minute_ms

const waits_ms = [
  1 * minute_ms,
  5 * minute_ms,
  15 * minute_ms,
  1 * hour_ms,
  3 * hour_ms,
  6 * hour_ms,
  12 * hour_ms,
  24 * hour_ms,
  24 * hour_ms,
]

// Spreads the retries of emails that failed together.
const jitter = 0.2

/** Undefined after the last attempt. `chance` is from 0 to 1. */
export function waitAfter(attempts: number, chance: number): number | undefined {
  const wait_ms = waits_ms[attempts - 1]
  return wait_ms && Math.round(wait_ms * (1 + jitter * (2 * chance - 1)))
}

export const attempts_max = waits_ms.length + 1
